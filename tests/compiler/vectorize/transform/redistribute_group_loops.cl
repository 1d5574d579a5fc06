// RUN: %heddlec %s --stage=vectorize --width=8 | FileCheck %s
// Rounds that anybody may do are all done by the first sub-group of a row, one after the other: it
// begins with number 0 and goes on by its own width, and the others jump over the loop.
kernel void k(const global float* a, global float* b, uint n) {
  for (uint i = get_local_id(0); i < n; i += get_local_size(0))
    b[i] = a[i] * a[i];
}
// CHECK-LABEL: define internal void @k.whole(
// CHECK: [[SMALL:%.*]] = icmp ult i32 %n, 1073741824
// CHECK: [[ALL:%is_redistributed]] = and i1 true, [[SMALL]]
// CHECK: [[LATER:%.*]] = icmp ne i64 %local_x, 0
// CHECK: [[JUMPS:%.*]] = and i1 [[ALL]], [[LATER]]
// CHECK: br i1 [[JUMPS]]
// CHECK: select i1 [[ALL]], i64 0, i64 %local_x
// CHECK: for.body.unmasked:
// CHECK: select i1 [[ALL]], i32 8, i32
// A row may be shorter than a sub-group there.
// CHECK-LABEL: define internal void @k.tail(
// CHECK: [[FITS:%.*]] = icmp uge i64 %{{.*}}, 8
// CHECK: and i1 [[FITS]], %{{.*}}
// CHECK: icmp ne i64 %local_x, 0
// CHECK: br i1

// Each work-item's own number is in what it does.
kernel void own(const global float* a, global float* b, uint n) {
  float c = a[get_local_id(0)];
  for (uint i = get_local_id(0); i < n; i += get_local_size(0))
    b[i] = a[i] * c;
}
// CHECK-LABEL: define internal void @own.whole(
// CHECK-NOT: is_redistributed
// CHECK-LABEL: define internal void @own.tail(

// The rounds of the others would come before what these have stored; behind a barrier they do not.
kernel void early(global float* a, global float* b, uint n) {
  b[get_local_id(0)] = n;
  for (uint i = get_local_id(0); i < n; i += get_local_size(0))
    a[i] = b[i];
}
// CHECK-LABEL: define internal void @early.whole(
// CHECK-NOT: is_redistributed
// CHECK-LABEL: define internal void @early.tail(

kernel void late(global float* a, global float* b, uint n) {
  b[get_local_id(0)] = n;
  barrier(CLK_GLOBAL_MEM_FENCE);
  for (uint i = get_local_id(0); i < n; i += get_local_size(0))
    a[i] = b[i];
}
// CHECK-LABEL: define internal i32 @late.whole(
// CHECK: is_redistributed
// CHECK-LABEL: define internal i32 @late.tail(
