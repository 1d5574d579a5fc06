// RUN: %heddlec %s --stage=optimize --width=8 --skip=promote-atomics,licm | FileCheck %s
// RUN: not %heddlec %s --skip=licm,canonicalize 2>&1 | FileCheck %s --check-prefix=NEEDED
// RUN: not %heddlec %s --skip=hoist-nothing 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// Without promote-atomics the place is updated in each iteration of the loop over sub-groups.
kernel void count(global uint* out, global const uint* in) {
  if (in[get_global_id(0)] & 1)
    atomic_inc(out);
}
// CHECK-LABEL: define internal void @count(
// CHECK: load <8 x i32>, ptr addrspace(1)
// CHECK-NOT: !llvm.loop
// CHECK: atomicrmw add ptr addrspace(1) %out
// CHECK: br i1 {{.*}}!llvm.loop

// NEEDED: error: HEDDLE_SKIP: kernels would be wrong without the pass 'canonicalize'
// UNKNOWN: error: HEDDLE_SKIP: no pass is called 'hoist-nothing'; 'heddle passes' lists Heddle's
