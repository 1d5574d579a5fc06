// RUN: %heddlec %s --stage=vectorise --width=8 | %filecheck %s
// What is dear is jumped over when no work-item goes there; a loop with a uniform count counts once for all.
kernel void k(global float* a) {
  size_t i = get_global_id(0);
  float x = a[i];
  if (x > 7.0f) {
    for (int j = 0; j < 100; ++j)
      x = x / (x + 1.0f);
  }
  a[i] = x;
}
// CHECK-LABEL: define internal void @k.wide(
// CHECK: [[BITS:%.*]] = bitcast <8 x i1> %{{.*}} to i8
// CHECK: [[ANY:%.*]] = icmp ne i8 [[BITS]], 0
// CHECK: br i1 [[ANY]], label %{{.*}}, label %[[END:[a-z.]+]]
// CHECK: phi i32 {{.*}}[ 0, 
// CHECK: fdiv <8 x float>
// CHECK: icmp eq i32 %{{.*}}, 100
// CHECK: [[END]]:
// CHECK: store <8 x float>
