// REQUIRES: x86
// RUN: %heddlec %s --stage=vectorize --width=8 --cpu=x86-64-v4 | FileCheck %s
// Addresses that depend on loaded values: a gather and a scatter of all lanes.
kernel void k(global int* a, global int* b, global int* c) {
  size_t i = get_global_id(0);
  a[c[i]] = b[(c[i] * c[i]) & 255];
}
// CHECK-LABEL: define internal void @k.whole(
// CHECK: [[X:%.*]] = call <8 x i32> @llvm.masked.gather.v8i32{{.*}}<8 x i1> splat (i1 true)
// CHECK: call void @llvm.masked.scatter.v8i32{{.*}}(<8 x i32> [[X]], {{.*}}<8 x i1> splat (i1 true)
