// RUN: %heddlec %s --stage=vectorize --width=8 | FileCheck %s
// A negative stride: one access at the last lane's address, and a reversal.
kernel void k(global int* a, global int* b) {
  size_t i = get_global_id(0);
  a[100 - i] = b[200 - i];
}
// CHECK-LABEL: define internal void @k.whole(
// CHECK: getelementptr i8, ptr addrspace(1) %{{.*}}, i64 -28
// CHECK: load <8 x i32>
// CHECK: shufflevector {{.*}} <i32 7, i32 6, i32 5, i32 4, i32 3, i32 2, i32 1, i32 0>
// CHECK: getelementptr i8, ptr addrspace(1) %{{.*}}, i64 -28
// CHECK: shufflevector {{.*}} <i32 7, i32 6, i32 5, i32 4, i32 3, i32 2, i32 1, i32 0>
// CHECK: store <8 x i32>
