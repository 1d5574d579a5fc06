// RUN: %heddlec %s --stage=vectorize --width=8 | FileCheck %s
// The masked variant takes the number of active lanes, which the masks of all accesses derive from.
kernel void k(global int* a, global int* b) {
  size_t i = get_global_id(0);
  a[i] = b[i + 5];
}
// CHECK-LABEL: define internal void @k.tail({{.*}}i64 %active, ptr {{.*}}%group
// CHECK: [[N:%.*]] = trunc i64 %active to i32
// CHECK: insertelement <8 x i32> poison, i32 [[N]], i64 0
// CHECK: [[M:%.*]] = icmp ult <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %
// CHECK: call <8 x i32> @llvm.masked.load.v8i32{{.*}}, <8 x i1> [[M]], <8 x i32> poison)
// CHECK: call void @llvm.masked.store.v8i32{{.*}}, <8 x i1> [[M]])
