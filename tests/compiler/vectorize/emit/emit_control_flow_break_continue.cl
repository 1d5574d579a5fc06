// RUN: %heddlec %s --stage=vectorize --width=8 | FileCheck %s
// break takes work-items out of the loop's mask, continue out of the rest of one iteration; the counter is uniform.
kernel void k(global int* a, global int* b, int n) {
  size_t i = get_global_id(0);
  int x = a[i];
  for (int j = 0; j < n; ++j) {
    if (x == j)
      break;
    if (x & 1) {
      b[i + (size_t)j * n] = j;
      continue;
    }
    x += 3 * j;
  }
  a[i] = x;
}
// CHECK-LABEL: define internal void @k.whole(
// CHECK: [[LOOP:if.end]]:
// CHECK: phi i64 {{.*}}[ 0, 
// CHECK: [[MASK:%mask.*]] = phi <8 x i1>
// CHECK: [[REST:%.*]] = select <8 x i1> [[MASK]], <8 x i1> %{{.*}}, <8 x i1> zeroinitializer
// CHECK: [[ODD:%.*]] = select <8 x i1> [[MASK]], <8 x i1> %{{.*}}, <8 x i1> zeroinitializer
// CHECK: call void @llvm.masked.store.v8i32{{.*}}, <8 x i1>
// CHECK: add {{.*}}i64 %{{.*}}, 1
// CHECK: [[STAY:%.*]] = select <8 x i1> [[MASK]], <8 x i1> %{{.*}}, <8 x i1> zeroinitializer
// CHECK: bitcast <8 x i1> %{{.*}} to i8
// CHECK: br i1 %{{.*}}, label %[[LOOP]], label
