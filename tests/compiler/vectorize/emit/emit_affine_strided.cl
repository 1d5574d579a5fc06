// REQUIRES: x86
// RUN: %heddlec %s --stage=vectorize --width=8 --cpu=x86-64-v4 | FileCheck %s

// An affine value with only scalar uses is computed for lane 0 alone.
kernel void scaled(global int* a, global const int* b, int n) {
  int i = get_global_id(0);
  a[3 * i + n] = b[3 * i + n + 1];
}
// CHECK-LABEL: define internal void @scaled.whole(
// CHECK-NOT: <8 x i64>
// CHECK: call <24 x i32> @llvm.masked.load.v24i32
// CHECK-NOT: <8 x i64>
// CHECK: call void @llvm.masked.store.v24i32

// As an operand of a vector instruction it is lane 0's value plus a constant vector.
kernel void stored(global int* a, int n) {
  int i = get_global_id(0);
  a[i] = 3 * i + n;
}
// CHECK-LABEL: define internal void @stored.whole(
// CHECK: add <8 x i32> %{{.*}}, <i32 0, i32 3, i32 6, i32 9, i32 12, i32 15, i32 18, i32 21>

// A product of two ids is not affine.
kernel void squares(global int* a) {
  int i = get_global_id(0);
  a[i] = i * i;
}
// CHECK-LABEL: define internal void @squares.whole(
// CHECK: mul {{.*}}<8 x i32>
