// RUN: %heddlec %s --stage=vectorize --width=8 | FileCheck %s
// Reductions of the components of an OpenCL vector are elementwise on the vectors of lanes.
kernel void signs(global int* out, global const long2* in) {
  size_t i = get_global_id(0);
  out[i] = all(in[i]) + any(in[i]);
}
// CHECK-LABEL: define internal void @signs.whole(
// CHECK-NOT: call {{.*}} @llvm.vector.reduce
// CHECK: and <8 x i64>
// CHECK: or <8 x i64>
// CHECK-LABEL: define internal void @signs.tail(

kernel void largest(global int* out, global const int4* in) {
  size_t i = get_global_id(0);
  out[i] = __builtin_reduce_max(in[i]);
}
// CHECK-LABEL: define internal void @largest.whole(
// CHECK-COUNT-3: call <8 x i32> @llvm.smax.v8i32(
// CHECK-NOT: @llvm.vector.reduce
// CHECK-LABEL: define internal void @largest.tail(
