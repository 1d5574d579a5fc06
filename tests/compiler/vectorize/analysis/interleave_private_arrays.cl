// RUN: %heddlec %s --stage=vectorize --width=8 | FileCheck %s
// A private array lies lane by lane: a[j] with a uniform j is one wide access.
kernel void k(global int* a, int n) {
  size_t i = get_global_id(0);
  int p[16];
  for (int j = 0; j < 16; ++j)
    p[j] = a[i] * j + n;
  a[i] = p[n & 15] + p[(n + 3) & 15];
}
// CHECK-LABEL: define internal void @k.whole(
// CHECK: %p = alloca [512 x i8]
// CHECK: [[OFFSET:%.*]] = mul i64 %{{.*}}, 32
// CHECK: [[PLACE:%.*]] = getelementptr i8, ptr %{{.*}}, i64 [[OFFSET]]
// CHECK: store <8 x i32> %{{.*}}, ptr [[PLACE]]
// CHECK-COUNT-2: load <8 x i32>, ptr %{{[0-9]+}}
