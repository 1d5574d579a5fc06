// REQUIRES: x86
// RUN: %heddlec %s --stage=vectorize --width=8 --cpu=x86-64-v4 | FileCheck %s

// Loads up to a stride of four elements are vector loads; beyond that one load per lane.
kernel void fourth(global int* a, global int* b) {
  size_t i = get_global_id(0);
  a[i] = b[4 * i];
}
// CHECK-LABEL: define internal void @fourth.whole(
// CHECK: call <32 x i32> @llvm.masked.load.v32i32
// CHECK-LABEL: define internal void @fourth.tail(
kernel void fifth(global int* a, global int* b) {
  size_t i = get_global_id(0);
  a[i] = b[5 * i];
}
// CHECK-LABEL: define internal void @fifth.whole(
// CHECK-NOT: masked.load
// CHECK-COUNT-8: load i32, ptr addrspace(1)
// CHECK-LABEL: define internal void @fifth.tail(

// Elements of less than 32 bits are slow to shuffle.
kernel void bytes(global char* a, global char* b) {
  size_t i = get_global_id(0);
  a[i] = b[2 * i];
}
// CHECK-LABEL: define internal void @bytes.whole(
// CHECK-NOT: masked.load
// CHECK-COUNT-8: load i8, ptr addrspace(1)
