// REQUIRES: x86
// RUN: %heddlec %s --cpu=x86-64-v4 --local=64 --width=16 --stage=optimize | FileCheck %s
// One step, but its loads are of elements apart: those of lanes beyond the end, which follow at the start.
kernel void ring(global uint* out, global const uint* in) {
  local uint t[64];
  uint l = get_local_id(0), sum = 0;
  t[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint j = 0; j < 8; ++j)
    sum += t[(l + j) & 63];
  out[get_global_id(0)] = sum;
}
// CHECK-LABEL: define internal void @ring(
// CHECK-NOT: {{gather|addrspace\(3\)}}
// CHECK: ret void

// Consecutive ones are loaded from memory as fast.
kernel void line(global uint* out, global const uint* in) {
  local uint t[64];
  uint l = get_local_id(0), sum = 0;
  t[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint j = 0; j < 8; ++j)
    sum += t[j + (l & 16)];
  out[get_global_id(0)] = sum;
}
// CHECK-LABEL: define internal void @line(
// CHECK: store <16 x i32> {{.*}}addrspace(3)
