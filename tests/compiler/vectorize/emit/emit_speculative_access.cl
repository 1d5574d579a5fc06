// RUN: %heddlec %s --stage=vectorize --width=8 | FileCheck %s
// An unsigned index may wrap. Lane 0's index tells whether it does, without a vector of addresses.
kernel void wraps(global const float* in, global float* out, uint from) {
  size_t i = get_global_id(0);
  out[i] = in[from + (uint)get_local_id(0)];
}
// CHECK-LABEL: define internal void @wraps.whole(
// CHECK: [[INSIDE:%.*]] = icmp ule i32 %{{.*}}, -8
// CHECK: br i1 {{.*}}, label %strided, label %not.strided
// CHECK: strided:
// CHECK: load <8 x float>, ptr addrspace(1)
// CHECK: not.strided:
// CHECK: llvm.masked.gather.v8f32
// CHECK: load.done:
// CHECK: phi <8 x float>

// A clamp changes no lane if it changes neither the first nor the last one.
kernel void limited(global const float* in, global float* out, int limit) {
  int i = get_local_id(0);
  out[i] = in[min(i + 1, limit)];
}
// CHECK-LABEL: define internal void @limited.whole(
// CHECK: icmp sle i32 %{{.*}}, 2147483640
// CHECK: icmp sle i32 %{{.*}}, %limit
// CHECK: br i1 {{.*}}, label %strided, label %not.strided
