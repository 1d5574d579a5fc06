// RUN: %heddlec %s --stage=vectorize --width=8 | FileCheck %s
// A loop with divergent exits runs while a lane is active, and keeps the live-out values of lanes
// that have left it.
kernel void k(global int* a) {
  size_t i = get_global_id(0);
  int x = a[i];
  while (x > 1)
    x = x & 1 ? 3 * x + 1 : x >> 1;
  a[i] = x;
}
// CHECK-LABEL: define internal void @k.whole(
// CHECK: [[LOOP:while.body]]:
// CHECK: [[MASK:%mask.*]] = phi <8 x i1>
// CHECK: [[STAY:%.*]] = select <8 x i1> [[MASK]], <8 x i1> %{{.*}}, <8 x i1> zeroinitializer
// CHECK: [[LEAVE:%.*]] = select <8 x i1> [[MASK]], <8 x i1> %{{.*}}, <8 x i1> zeroinitializer
// CHECK: select <8 x i1> [[LEAVE]], <8 x i32>
// CHECK: [[BITS:%.*]] = bitcast <8 x i1> [[STAY]] to i8
// CHECK: [[ANY:%.*]] = icmp ne i8 [[BITS]], 0
// CHECK: br i1 [[ANY]], label %[[LOOP]], label
