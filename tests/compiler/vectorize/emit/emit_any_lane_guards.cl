// RUN: %heddlec %s --stage=vectorize --width=8 | FileCheck %s
// An expensive region is skipped if no lane is active in it. A uniform loop in it runs once for all
// lanes.
kernel void k(global float* a) {
  size_t i = get_global_id(0);
  float x = a[i];
  if (x > 7.0f) {
    for (int j = 0; j < 100; ++j)
      x = x / (x + 1.0f);
  }
  a[i] = x;
}
// CHECK-LABEL: define internal void @k.whole(
// CHECK: [[BITS:%.*]] = bitcast <8 x i1> %{{.*}} to i8
// CHECK: [[ANY:%.*]] = icmp ne i8 [[BITS]], 0
// CHECK: br i1 [[ANY]], label %{{.*}}, label %[[END:[a-z.]+]]
// CHECK: phi i32 {{.*}}[ 0, 
// CHECK: fdiv <8 x float>
// CHECK: icmp eq i32 %{{.*}}, 100
// CHECK: [[END]]:
// CHECK: store <8 x float>

// Whether the lane with a certain id is in the sub-group follows from the id of lane 0.
kernel void one(global float* a, local float* sum) {
  if (get_local_id(0) == 3)
    a[get_group_id(0)] = sum[0];
}
// CHECK-LABEL: define internal void @one.whole(
// CHECK: [[DISTANCE:%.*]] = sub i64 3, %
// CHECK: [[HERE:%.*]] = icmp ule i64 [[DISTANCE]], 7
// CHECK: br i1 [[HERE]]
// CHECK: store float
// CHECK-LABEL: define internal void @one.tail(
// CHECK: icmp ne i8 %{{.*}}, 0
