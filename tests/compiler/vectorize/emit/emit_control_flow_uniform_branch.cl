// RUN: %heddlec %s --stage=vectorize --width=8 | FileCheck %s
// A uniform branch stays a branch, without masks.
kernel void k(global int* a, int n) {
  size_t i = get_global_id(0);
  if (n > 7)
    a[i] = 3;
}
// CHECK-LABEL: define internal void @k.whole(
// CHECK: [[C:%.*]] = icmp sgt i32 %n, 7
// CHECK: br i1 [[C]], label
// CHECK: store <8 x i32> splat (i32 3)
// CHECK-NOT: <8 x i1>
// CHECK: ret void
