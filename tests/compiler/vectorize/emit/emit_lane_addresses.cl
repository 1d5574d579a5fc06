// REQUIRES: x86
// RUN: %heddlec --cpu=x86-64-v4 %s --stage=vectorize --width=16 | FileCheck %s
// Indices of 8 bits are extracted from their vector as an i64 of eight, not one by one.
kernel void k(local int* counts, global const uchar* a) {
  atomic_inc(&counts[a[get_global_id(0)]]);
}
// CHECK-LABEL: define internal void @k.whole(
// CHECK: [[WORDS:%.*]] = bitcast <16 x i8> %{{.*}} to <2 x i64>
// CHECK: extractelement <2 x i64> [[WORDS]], i64 0
// CHECK: and i64 %{{.*}}, 255
// CHECK: atomicrmw add ptr addrspace(3)
// CHECK: lshr i64 %{{.*}}, 8
// CHECK-NOT: extractelement <16 x i8>
// CHECK: ret void
