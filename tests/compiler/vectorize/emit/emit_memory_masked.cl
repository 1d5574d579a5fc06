// RUN: %heddlec %s --stage=vectorize --width=8 | FileCheck %s
// Consecutive accesses under a divergent condition are masked.
kernel void k(global int* a, global int* b) {
  size_t i = get_global_id(0);
  if (a[i] > 0)
    a[i] = b[i];
}
// CHECK-LABEL: define internal void @k.whole(
// CHECK: [[C:%.*]] = icmp sgt <8 x i32> %{{.*}}, zeroinitializer
// CHECK: call <8 x i32> @llvm.masked.load.v8i32{{.*}}, <8 x i1> [[M:%.*]], <8 x i32> poison)
// CHECK: call void @llvm.masked.store.v8i32{{.*}}, <8 x i1> [[M]])
