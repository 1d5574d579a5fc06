// REQUIRES: x86
// RUN: %heddlec %s --stage=vectorize --width=16 --cpu=x86-64-v4 | FileCheck %s
// RUN: %heddlec %s --stage=work-groups --width=16 --cpu=x86-64-v4 | FileCheck %s --check-prefix=LOOPS
// Rows that load the same are run side by side: one load of b for eight rows.
kernel void product(global float* c, global const float* a, global const float* b, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;
}
// CHECK-LABEL: define internal void @product.block(
// CHECK-COUNT-8: phi <16 x float>
// CHECK-NOT: phi <16 x float>
// CHECK: load <16 x float>
// CHECK-NOT: load <16 x float>
// CHECK-COUNT-8: store <16 x float>
// CHECK: ret void

// LOOPS-LABEL: define {{.*}}void @product(
// LOOPS: %rows_in_blocks = select
// LOOPS: call void @product.block(
// LOOPS: call void @product.whole(

// A bounds check is decided for all rows at once, before they do anything.
kernel void checked_product(global float* c, global const float* a, global const float* b, int m,
                            int n) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= n || y >= m)
    return;
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;
}
// CHECK-LABEL: define internal void @checked_product.block(
// CHECK-COUNT-7: and i1
// CHECK: br i1
// CHECK-COUNT-8: call void @checked_product.tail(
// CHECK-COUNT-8: store <16 x float>
// CHECK: ret void
// LOOPS-LABEL: define {{.*}}void @checked_product(
// LOOPS: %rows_in_blocks = select
// LOOPS: call void @checked_product.block(

// Nothing is shared, or rows take different ways.
// LOOPS-LABEL: define {{.*}}void @own_rows(
kernel void own_rows(global float* c, global const float* a, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[(y + k) * n + x];
  c[y * n + x] = sum;
}
kernel void triangle(global float* c, global const float* b, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int k = 0; k < y; ++k)
    sum += b[k * n + x] * y;
  c[y * n + x] = sum;
}
// The rows that neighbors load are not one apart.
kernel void scaled(global float* c, global const float* a, int n, int last, float step) {
  int x = get_global_id(0), y = (int)(get_global_id(1) * step);
  c[get_global_id(1) * n + x] = a[clamp(y, 0, last) * n + x] + a[clamp(y + 1, 0, last) * n + x] +
                                a[clamp(y + 2, 0, last) * n + x] + a[clamp(y + 3, 0, last) * n + x];
}
// LOOPS-NOT: rows_in_blocks
