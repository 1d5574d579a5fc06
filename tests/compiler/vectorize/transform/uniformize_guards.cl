// RUN: %heddlec %s --stage=vectorize --width=8 | FileCheck %s
// A kernel that begins with a bounds check asks lane 0 whether all lanes pass it, and runs without
// masks if they do. Else the masked form does all of it, unless no lane passes.
kernel void check(global float* a, uint n) {
  size_t i = get_global_id(0);
  if (i < n)
    a[i] *= 2;
}
// CHECK-LABEL: define internal void @check.whole(
// CHECK-DAG: [[ROOM:%.*]] = icmp uge i64 [[LIMIT:%.*]], 7
// CHECK-DAG: [[LAST:%.*]] = sub i64 [[LIMIT]], 7
// CHECK-DAG: [[BELOW:%.*]] = icmp ult i64 [[FIRST:%.*]], [[LAST]]
// CHECK: [[INSIDE:%.*]] = and i1 [[ROOM]], [[BELOW]]
// CHECK: br i1 [[INSIDE]], label
// CHECK: call void @check.tail({{.*}}, i64 8, ptr
// CHECK-NOT: masked
// CHECK: load <8 x float>
// CHECK: store <8 x float>
// CHECK: ret void
// CHECK-LABEL: define internal void @check.tail(
// CHECK: llvm.masked.store

// Several checks, in one condition or one after the other, where nothing has been done between.
kernel void two(global float* a, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < 1 || x >= w)
    return;
  float v = a[x];
  if (y >= h || x > 1000)
    return;
  a[y * w + x] = v;
}
// CHECK-LABEL: define internal void @two.whole(
// CHECK: call void @two.tail(
// CHECK: call void @two.tail(
// CHECK-NOT: masked
// CHECK: ret void
// CHECK-LABEL: define internal void @two.tail(

// What has been done cannot be done again.
kernel void too_late(global float* a, global float* b, int n) {
  int i = get_global_id(0);
  b[i] = 1;
  if (i < n)
    a[i] = 2;
}
// CHECK-LABEL: define internal void @too_late.whole(
// CHECK-NOT: @too_late.tail
// CHECK: masked.store
// CHECK: ret void

// Both sides do something, or lane 0 does not tell.
kernel void either(global float* a, global float* b, int n) {
  int i = get_global_id(0);
  if (i < n)
    a[i] = 2;
  else
    b[i] = 3;
}
// CHECK-LABEL: define internal void @either.whole(
// CHECK-NOT: @either.tail
// CHECK: masked.store
// CHECK: ret void
kernel void by_memory(global float* a, global const int* b, int n) {
  int i = get_global_id(0);
  if (b[i] < n)
    a[i] = 2;
}
// CHECK-LABEL: define internal void @by_memory.whole(
// CHECK-NOT: @by_memory.tail
// CHECK: masked.store
// CHECK: ret void

// Nor are there many at a border.
kernel void border(global float* a, global const float* b, int w) {
  int x = get_global_id(0);
  if (x == 0 || x == w)
    a[x] = b[x];
  else
    a[x] = b[x - 1] + b[x + 1];
}
// CHECK-LABEL: define internal void @border.whole(
// CHECK: [[FROM:%.*]] = sub i32 0,
// CHECK: icmp ugt i32 [[FROM]], 7
// CHECK: call void @border.tail(
// CHECK-NOT: masked
// CHECK: ret void

// At a barrier all work-items are where they are.
kernel void with_barrier(global float* a, local float* b, int n) {
  int i = get_global_id(0);
  if (i < n) {
    b[get_local_id(0)] = a[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    a[i] = b[get_local_id(0) ^ 1];
  }
}
// CHECK-NOT: call {{.*}}@with_barrier.tail(
