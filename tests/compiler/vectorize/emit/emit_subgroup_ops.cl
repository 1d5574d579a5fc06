// REQUIRES: x86
// RUN: %heddlec %s --stage=vectorize --width=8 --cpu=x86-64-v4 -- -cl-std=CL3.0 | FileCheck %s

// A reduction of a vector; inactive lanes contribute the identity.
kernel void sum(global int* a) {
  size_t i = get_global_id(0);
  a[i] = sub_group_reduce_add(a[i]);
}
// CHECK-LABEL: define internal void @sum.whole(
// CHECK: [[A:%.*]] = load <8 x i32>
// CHECK-NOT: select
// CHECK: call i32 @llvm.vector.reduce.add.v8i32(<8 x i32> [[A]])
// CHECK-LABEL: define internal void @sum.tail(
// CHECK: [[ACTIVE:%active[0-9]+]] = icmp ult <8 x i32>
// CHECK: [[V:%.*]] = select <8 x i1> [[ACTIVE]], <8 x i32> %{{.*}}, <8 x i32> zeroinitializer
// CHECK: call i32 @llvm.vector.reduce.add.v8i32(<8 x i32> [[V]])

// An exclusive scan in log2(8) steps. The identity of floating-point addition is -0.0, but the result
// in the first lane is 0.0.
kernel void scan(global float* a) {
  size_t i = get_global_id(0);
  a[i] = sub_group_scan_exclusive_add(a[i]);
}
// CHECK-LABEL: define internal void @scan.whole(
// CHECK: shufflevector <8 x float> %{{.*}}, <8 x float> splat (float -0.000000e+00), <8 x i32> <i32 8, i32 0, i32 1,
// CHECK: shufflevector <8 x float> %{{.*}}, <8 x float> splat (float -0.000000e+00), <8 x i32> <i32 8, i32 0, i32 1,
// CHECK: shufflevector <8 x float> %{{.*}}, <8 x float> splat (float -0.000000e+00), <8 x i32> <i32 8, i32 9, i32 0,
// CHECK: shufflevector <8 x float> %{{.*}}, <8 x float> splat (float -0.000000e+00), <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 0,
// CHECK: [[SUM:%.*]] = fadd <8 x float>
// CHECK: [[RESULT:%.*]] = fadd <8 x float> [[SUM]], zeroinitializer
// CHECK: store <8 x float> [[RESULT]]

// A broadcast is the extraction of an element.
kernel void broadcast(global int* a) {
  size_t i = get_global_id(0);
  a[i] = sub_group_broadcast(a[i], 3);
}
// CHECK-LABEL: define internal void @broadcast.whole(
// CHECK: [[A:%.*]] = load <8 x i32>
// CHECK: extractelement <8 x i32> [[A]], i32 3

// A uniform operand needs none.
kernel void broadcast_uniform(global int* a, int n) {
  a[get_global_id(0)] = sub_group_broadcast(n, 3);
}
// CHECK-LABEL: define internal void @broadcast_uniform.whole(
// CHECK-NOT: extractelement
// CHECK: ret void

// A ballot is a bit mask of the active lanes.
kernel void vote(global int* a) {
  size_t i = get_global_id(0);
  a[i] = sub_group_any(a[i] > 0);
}
// CHECK-LABEL: define internal void @vote.tail(
// CHECK: [[ACTIVE:%active[0-9]+]] = icmp ult <8 x i32>
// CHECK: [[V:%.*]] = select <8 x i1> [[ACTIVE]], <8 x i1> %{{.*}}, <8 x i1> zeroinitializer
// CHECK: [[BITS:%.*]] = bitcast <8 x i1> [[V]] to i8
// CHECK: zext i8 [[BITS]] to i64
