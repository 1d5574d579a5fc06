// RUN: %heddlec %s --stage=work-groups --width=16 -- -cl-std=CL3.0 | FileCheck %s
// Groups that follow each other in x are run as one row if the kernel uses nothing of x but the global id.
kernel void streams(global float* out, global const float* in) {
  size_t i = get_global_id(0);
  out[i] = in[i] * 2 + get_global_size(0) + get_local_size(1) + get_group_id(1);
}
// CHECK-LABEL: define {{.*}}void @streams(
// CHECK: %merged_groups = load
// CHECK: group{{[0-9]*}}:

// One with a loop only if a group has one row: its rows may go over the same places.
kernel void loops(global float* out, global const float* in, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum += in[i * n + x];
  out[y * n + x] = sum;
}
// CHECK-LABEL: define {{.*}}void @loops(
// CHECK: %merged_rows = load

// Not if the loop only computes.
kernel void computes(global float* out, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum = sum * 0.5f + x;
  out[y * n + x] = sum;
}
// CHECK-LABEL: define {{.*}}void @computes(
// CHECK: %merged_groups = load

kernel void local_ids(global int* out) { out[get_global_id(0)] = get_local_id(0); }
kernel void group_ids(global int* out) { out[get_global_id(0)] = get_group_id(0); }
kernel void local_sizes(global int* out) { out[get_global_id(0)] = get_local_size(0); }
kernel void sub_groups(global int* out) { out[get_global_id(0)] = get_sub_group_local_id(); }
kernel void linear(global int* out) { out[get_global_id(0)] = get_local_linear_id(); }
kernel void local_memory(global int* out, local int* t) { out[get_global_id(0)] = t[0]; }
kernel void atomics(global int* out) { atomic_inc(out + get_global_id(0)); }
kernel void barriers(global int* out) { out[get_global_id(0)] = 1; barrier(CLK_GLOBAL_MEM_FENCE); out[get_global_id(0)] += 1; }
// CHECK-LABEL: define {{.*}}void @local_ids(
// CHECK-NOT: %merged
