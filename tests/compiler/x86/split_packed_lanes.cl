// RUN: %heddlec %s --stage=optimize --width=2 --cpu=x86-64-v4 | FileCheck %s
// What VectorCombinePass takes out of a word with two lanes in it is an element again.
kernel void k(global ushort* to, global const ushort* table, global const uint* in) {
  size_t i = get_global_id(0);
  uint n = in[i];
  to[i] = table[n > 1 ? 1 : in[i + 13] & 1];
}
// CHECK-LABEL: define internal void @k(
// CHECK-NOT: bitcast <2 x i32> %{{.*}} to i64
// CHECK: extractelement <2 x i32> %{{.*}}, i{{32|64}} 0
// CHECK: extractelement <2 x i32> %{{.*}}, i{{32|64}} 1
// CHECK: ret void

// So is what a program takes out itself.
kernel void own(global ulong* to, global const uint2* in) {
  ulong word = as_ulong(in[0]);
  to[0] = (word & 0xffffffff) * 3 + (word >> 32);
}
// CHECK-LABEL: define internal void @own(
// CHECK-NOT: bitcast <2 x i32> %{{.*}} to i64
// CHECK: ret void
