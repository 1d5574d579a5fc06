// RUN: %heddlec %s --stage=vectorize --width=8 | FileCheck %s
// Both sides of a divergent branch run, and selects merge their values.
kernel void k(global int* a, global int* b) {
  size_t i = get_global_id(0);
  int x = a[i];
  if (x > 7) {
    x = x * 3;
    b[i] = x;
  } else {
    x = x - 5;
  }
  a[i] = x;
}
// CHECK-LABEL: define internal void @k.whole(
// CHECK: [[C:%.*]] = icmp sgt <8 x i32> [[X:%.*]], splat (i32 7)
// CHECK-NOT: br i1
// CHECK-DAG: add nsw <8 x i32> [[X]], splat (i32 -5)
// CHECK-DAG: [[THRICE:%.*]] = mul {{.*}}<8 x i32> [[X]], splat (i32 3)
// CHECK: call void @llvm.masked.store.v8i32{{.*}}(<8 x i32> [[THRICE]], ptr {{.*}}, <8 x i1> [[M:%.*]])
// CHECK: [[R:%.*]] = select <8 x i1> [[M]], <8 x i32> [[THRICE]]
// CHECK: store <8 x i32> [[R]], ptr
// CHECK: ret void
