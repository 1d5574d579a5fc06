// RUN: %heddlec %s --stage=vectorize --width=8 | FileCheck %s
// A uniform value is computed once, by a scalar instruction, and broadcast to its vector user.
kernel void k(global int* a, int n, int m) {
  size_t i = get_global_id(0);
  a[i] += n * m;
}
// CHECK-LABEL: define internal void @k.whole(
// CHECK: [[P:%.*]] = mul nsw i32 %n, %m
// CHECK-NOT: mul <8
// CHECK: insertelement <8 x i32> poison, i32 [[P]], i64 0
// CHECK: add nsw <8 x i32>
