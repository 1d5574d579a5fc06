// The IR after passes that are named, after all of Heddle's, or after each that changed it, goes to stderr; and all of a
// build to a folder.
// REQUIRES: x86
// RUN: %heddlec %s --cpu=x86-64-v4 --print-after=find-kernels,choose-width 2>&1 | FileCheck %s
// RUN: %heddlec %s --cpu=x86-64-v4 --print-after='*' 2>&1 | FileCheck %s --check-prefix=ALL
// RUN: %heddlec %s --cpu=x86-64-v4 --print-after=nonsense 2>&1 | count 0
// RUN: %heddlec %s --cpu=x86-64-v4 2>&1 | count 0
// RUN: %heddlec %s --cpu=x86-64-v4 --print-changed 2>&1 | FileCheck %s --check-prefix=CHANGED
// RUN: %heddlec %s --cpu=x86-64-v4 --print-changed=names 2>&1 | FileCheck %s --check-prefix=NAMES
// CHECK: ; IR after find-kernels{{$}}
// CHECK: define internal void @scale.body(
// A pass on a function prints that function.
// CHECK: ; IR after choose-width on scale.body
// CHECK: define {{.*}}void @scale.body(
// CHECK-NOT: ; IR after
// ALL: ; IR after link-builtins
// ALL: ; IR after canonicalize on scale.body
// ALL: ; IR after limit-scheduling
// CHANGED: *** IR Dump After {{.*}}FindKernelsPass on [module] ***
// CHANGED: define internal void @scale.body(
// NAMES-NOT: define
// NAMES: {{^}}changed by find-kernels{{$}}
// NAMES-NOT: changed by promote-atomics
// NAMES: {{^}}changed by make-kernel-wrappers{{$}}

// RUN: rm -rf %t && %heddlec %s --cpu=x86-64-v4 --keep=%t 2>&1 | count 0
// RUN: ls %t | FileCheck %s --check-prefix=FOLDER
// RUN: cat %t/*/0-frontend.ll | FileCheck %s --check-prefix=FRONTEND
// RUN: cat %t/*/2-lower.ll | FileCheck %s --check-prefix=LOWER
// RUN: cat %t/*/source.cl | FileCheck %s --check-prefix=SOURCE
// RUN: cat %t/*/kernels.s | FileCheck %s --check-prefix=ASSEMBLY
// RUN: ls %t/*/kernels.o %t/*/kernels.so %t/*/remarks.txt %t/*/remarks.opt.yaml
// FOLDER: {{^}}scale-{{[0-9]+}}-0{{$}}
// FRONTEND: define {{.*}}spir_kernel void @scale(
// LOWER: define internal void @scale.body(
// SOURCE: kernel void {{scale}}(
// ASSEMBLY: mulps
kernel void scale(global float* a) {
  size_t i = get_global_id(0);
  a[i] = a[i] * 3;
}
