// RUN: %if x86 %{ %heddlec --cpu=x86-64-v4 %s -- -heddle-explain -cl-std=CL3.0 2>&1 | FileCheck %s %}
// RUN: %if x86 %{ %heddlec --cpu=x86-64-v3 %s -- -heddle-explain -cl-std=CL3.0 2>&1 | FileCheck %s %}
// RUN: %if x86 %{ %heddlec --cpu=x86-64-v2 %s -- -heddle-explain -cl-std=CL3.0 2>&1 | FileCheck %s %}
// RUN: %if aarch64 %{ %heddlec --cpu=sve %s -- -heddle-explain -cl-std=CL3.0 2>&1 | FileCheck %s %}
// RUN: %if aarch64 %{ %heddlec --cpu=armv8-a %s -- -heddle-explain -cl-std=CL3.0 2>&1 | FileCheck %s %}
// RUN: %heddlec --width=8 %s -- -heddle-explain -cl-std=CL3.0 2>&1 | FileCheck %s --check-prefix=EIGHT
// Sub-groups have 32 work-items wherever a program uses them and requires no size, whatever the types.
kernel void ints(global int* a) { a[get_global_id(0)] = sub_group_reduce_add(a[get_global_id(0)]); }
// CHECK: kernel 'ints': 32 work-items wide: it uses sub-groups and requires no size of them
// EIGHT: kernel 'ints': 8 work-items wide: HEDDLE_WIDTH requests it
kernel void doubles(global double* a) { a[get_global_id(0)] = sub_group_reduce_max(a[get_global_id(0)]); }
// CHECK: kernel 'doubles': 32 work-items wide: it uses
kernel void bytes(global uchar* a) { a[get_global_id(0)] = a[get_global_id(0)] + get_sub_group_local_id(); }
// CHECK: kernel 'bytes': 32 work-items wide: it uses
// Vectors that fill registers make no sub-groups of one.
kernel void vectors(global float16* a, global float* b) {
  float16 v = a[get_global_id(0)] * a[get_global_id(0) + 1];
  a[get_global_id(0)] = v;
  b[get_sub_group_local_id()] = v.s3;
}
// CHECK: kernel 'vectors': 32 work-items wide: it uses
kernel __attribute__((reqd_work_group_size(16, 1, 1))) void narrow(global int* a) { a[get_global_id(0)] = get_sub_group_size(); }
// CHECK: kernel 'narrow': 32 work-items wide: it uses
kernel __attribute__((intel_reqd_sub_group_size(16))) void sixteen(global int* a) { a[get_global_id(0)] = get_sub_group_size(); }
// CHECK: kernel 'sixteen': 16 work-items wide: the kernel's intel_reqd_sub_group_size requires it
kernel void group(global double* a) { a[get_global_id(0)] = work_group_reduce_max(a[get_global_id(0)]); }
// CHECK: kernel 'group': {{[248]|16}} work-items wide: its data
