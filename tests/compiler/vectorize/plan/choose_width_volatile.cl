// REQUIRES: x86
// RUN: %heddlec %s --cpu=x86-64-v3 --stage=vectorize | FileCheck %s
// Volatile private floats are accessed lane by lane: where they are much of a kernel's data, it stays scalar.
kernel void moves(global float* a) {
  size_t i = get_global_id(0);
  volatile float kept[4];
  kept[0] = a[i];
  kept[1] = a[i + 1];
  a[i] = kept[0] + kept[1];
}
kernel void computes(global float* a) {
  size_t i = get_global_id(0);
  volatile float sum = a[i] + a[i + 1];
  float x = a[i] * 3 + a[i + 2], y = x * a[i + 3] + a[i + 4], z = y * x + a[i + 5];
  a[i] = x * y + z * (x - y) + y * (z + 1) + sum;
}
// CHECK-NOT: @moves.whole
// CHECK: define internal void @computes.whole(
// CHECK-NOT: @moves.whole
