// RUN: %heddlec %s --stage=work-groups --width=8 | FileCheck %s
// Sums and products with constants as if they were computed before an id is narrowed: shifts may wrap
// around in C, and unsigned numbers.
kernel void shifted(global float* out, global const float* in) {
  int i = get_global_id(0) << 1;
  out[get_global_id(0)] = in[i] - in[i + 1];
}
// CHECK-LABEL: define internal void @shifted.whole(
// CHECK-NOT: gather
// CHECK-NOT: {{^}}speculat
// CHECK: ret void
kernel void tripled(global float* out, global const float* in) {
  uint i = get_global_id(0);
  out[get_global_id(0)] = in[i * 3 + 2];
}
// CHECK-LABEL: define internal void @tripled.whole(
// CHECK-NOT: gather
// CHECK: ret void
