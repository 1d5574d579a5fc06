// RUN: %heddlec %s --stage=simplify | FileCheck %s
// A loop of constant length is unrolled if then no index of a private array is left to be known at
// run time only: the array becomes values.
kernel void ring(global uint* a) {
  size_t i = get_global_id(0);
  uint w[8];
  for (uint n = 0; n < 8; ++n)
    w[n] = a[i] * (n + 1);
  uint sum = 0;
  for (uint n = 0; n < 40; ++n) {
    w[n & 7] += w[(n + 3) & 7] ^ sum;
    sum += w[n & 7];
  }
  a[i] = sum;
}
// CHECK-LABEL: define {{.*}}@ring.body(
// CHECK-NOT: alloca
// CHECK-NOT: br i1
// CHECK: ret void

// Not where other indices stay.
kernel void table(global uint* a) {
  size_t i = get_global_id(0);
  uint w[8];
  for (uint n = 0; n < 8; ++n)
    w[n] = a[i + n];
  uint sum = 0;
  for (uint n = 0; n < 40; ++n)
    sum += w[sum & 7];
  a[i] = sum;
}
// CHECK-LABEL: define {{.*}}@table.body(
// CHECK: alloca [8 x i32]
// CHECK: br i1
// CHECK: br i1
// CHECK: ret void
