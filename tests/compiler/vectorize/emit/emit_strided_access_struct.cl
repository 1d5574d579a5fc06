// REQUIRES: x86
// RUN: %heddlec %s --stage=vectorize --width=8 --cpu=x86-64-v4 | FileCheck %s
// Members of structures: a vector load if the stride is a small multiple of the member's size, else
// a load per lane.
typedef struct { int x; char tag; long big; } Item;
kernel void k(global Item* a, global int* b) {
  size_t i = get_global_id(0);
  b[i] = a[i].x + a[i].tag;
}
// CHECK-LABEL: define internal void @k.whole(
// CHECK: [[ALL:%.*]] = call <32 x i32> @llvm.masked.load.v32i32{{.*}}<i1 true, i1 false, i1 false, i1 false, i1 true
// CHECK: shufflevector <32 x i32> [[ALL]], {{.*}} <i32 0, i32 4, i32 8, i32 12, i32 16, i32 20, i32 24, i32 28>
// CHECK-COUNT-8: load i8, ptr addrspace(1)
// CHECK: store <8 x i32>
