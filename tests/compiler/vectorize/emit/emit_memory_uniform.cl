// RUN: %heddlec %s --stage=vectorize --width=8 | FileCheck %s
// A uniform address: a scalar load and a broadcast.
kernel void k(global int* a, constant int* b, int n) {
  size_t i = get_global_id(0);
  a[i] += b[n];
}
// CHECK-LABEL: define internal void @k.whole(
// CHECK: [[B:%.*]] = load i32, ptr addrspace(2)
// CHECK: insertelement <8 x i32> poison, i32 [[B]], i64 0
// CHECK: add nsw <8 x i32>
