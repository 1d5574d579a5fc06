// REQUIRES: x86
// RUN: %heddlec %s --stage=vectorize --width=8 --cpu=x86-64-v4 | FileCheck %s
// A stride of two elements: one masked load of twice the width, and a shuffle.
kernel void k(global int* a, global int* b) {
  size_t i = get_global_id(0);
  a[i] = b[2 * i];
}
// CHECK-LABEL: define internal void @k.whole(
// CHECK: [[ALL:%.*]] = call <16 x i32> @llvm.masked.load.v16i32{{.*}}<i1 true, i1 false, i1 true, i1 false
// CHECK: shufflevector <16 x i32> [[ALL]], {{.*}} <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
// CHECK-NOT: gather
// CHECK: ret void
