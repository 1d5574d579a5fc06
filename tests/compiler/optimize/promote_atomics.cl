// RUN: %heddlec %s --stage=optimize --width=8 | FileCheck %s
// What all sub-groups of a row add to one place of global memory is added up by lanes, and the place is updated once.
kernel void count(global uint* out, global const uint* in) {
  if (in[get_global_id(0)] & 1)
    atomic_inc(out);
}
// CHECK-LABEL: define internal void @count(
// CHECK: [[SUMS:%.*]] = phi <8 x i32> [ {{.*}}zeroinitializer
// CHECK: load <8 x i32>, ptr addrspace(1)
// CHECK-NOT: atomicrmw
// CHECK: br i1 {{.*}}!llvm.loop
// CHECK: [[SUM:%.*]] = {{.*}}call i32 @llvm.vector.reduce.add.v8i32(
// CHECK: [[SAME:%.*]] = icmp eq i32 [[SUM]], 0
// CHECK: br i1 [[SAME]]
// CHECK: atomicrmw add ptr addrspace(1) %out, i32 [[SUM]] monotonic

// Maxima: the largest of no numbers is the least there is.
kernel void most(global int* out, global const int* in) {
  atomic_max(out, in[get_global_id(0)]);
}
// CHECK-LABEL: define internal void @most(
// CHECK: call <8 x i32> @llvm.smax.v8i32(
// CHECK-NOT: atomicrmw
// CHECK: br i1 {{.*}}!llvm.loop
// CHECK: icmp eq i32 {{.*}}, -2147483648
// CHECK: atomicrmw max

// A loop of the work-item's own: it may read what it has updated.
kernel void own(global uint* out, global const uint* in, uint n) {
  uint sum = 0;
  for (uint i = 0; i < n; ++i) {
    sum += in[i];
    atomic_inc(out);
  }
  out[1 + get_global_id(0)] = sum;
}
// CHECK-LABEL: define internal void @own(
// CHECK: load i32, ptr addrspace(1)
// CHECK: atomicrmw add ptr addrspace(1) %out, i32 8
// CHECK: br i1

// A read behind the update, and an order that others may rely on: as they are written.
kernel void behind(global uint* out, global uint* other) {
  atomic_inc(out);
  other[get_global_id(0)] = out[1];
}
// CHECK-LABEL: define internal void @behind(
// CHECK: %x{{[0-9]*}} = phi
// CHECK: atomicrmw add ptr addrspace(1) %out, i32 8 monotonic
// CHECK: br i1 {{.*}}!llvm.loop
