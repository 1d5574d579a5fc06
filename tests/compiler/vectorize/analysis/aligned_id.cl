// RUN: %heddlec %s --stage=vectorize --width=8 | FileCheck %s
// RUN: %heddlec %s --stage=vectorize --width=16 | FileCheck %s --check-prefix=WIDE
// The first lane's local id is a multiple of the width: what depends on its upper bits is the same in all lanes.
kernel void limit(global int* out, global const int* in) {
  size_t l = get_local_id(0);
  if (l < 8)
    out[l] += in[l];
}
// CHECK-LABEL: define internal void @limit.whole(
// CHECK-NOT: masked
// CHECK: br i1
// CHECK-NOT: masked
// CHECK: ret void
// Not of wider sub-groups.
// WIDE-LABEL: define internal void @limit.whole(
// WIDE: icmp ult <16 x i32> <i32 0, i32 1,
// WIDE: ret void
kernel void equal(global int* out, global const int* in) {
  size_t l = get_local_id(0);
  if (l > 7 && l != 16)
    out[l] += in[l];
}
// CHECK-LABEL: define internal void @equal.whole(
// CHECK: masked
// CHECK: ret void

// A table read by the number of a work-item's part of the group, and by its number in that.
kernel void parts(global int* out, local const int* table) {
  uint l = get_local_id(0);
  out[get_global_id(0)] = table[l >> 3] + table[l & 7] + table[l & 15];
}
// CHECK-LABEL: define internal void @parts.whole(
// CHECK-NOT: gather
// CHECK: load i32, ptr addrspace(3)
// CHECK-NOT: gather
// CHECK: load <8 x i32>, ptr addrspace(3)
// CHECK-NOT: gather
// CHECK: load <8 x i32>, ptr addrspace(3)
// CHECK-NOT: gather
// CHECK: ret void
kernel void smaller_parts(global int* out, local const int* table) {
  uint l = get_local_id(0);
  out[get_global_id(0)] = table[l >> 2] + table[l & 3];
}
// CHECK-LABEL: define internal void @smaller_parts.whole(
// CHECK: llvm.masked.gather
// CHECK: ret void
// What the shift may assume of active lanes is not true of lane 0.
kernel void exact(global int* out, global const int* in) {
  uint l = get_local_id(0);
  if ((l & 15) == 0)
    out[l >> 4] = in[l >> 3];
}
// CHECK-LABEL: define internal void @exact.whole(
// CHECK-NOT: lshr exact
// CHECK: ret void
