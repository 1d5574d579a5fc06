// RUN: %heddlec %s --stage=vectorize --width=8 | FileCheck %s
// A value that most predecessors of a phi share is stored once; only edges with other values
// select.
kernel void k(global int* a, global float* b) {
  size_t i = get_global_id(0);
  float x = b[i], y = b[i + 100];
  switch (a[i]) {
  case 1: x = y * y + 3.0f; break;
  case 5: b[2 * i + 7] = y; break;
  case 7: b[3 * i + 9] = x; break;
  case 90: y = x * 9.0f - x * x; break;
  }
  b[i] = x;
  b[i + 100] = y;
}
// CHECK-LABEL: define internal void @k.whole(
// CHECK-COUNT-2: select <8 x i1> %{{.*}}, <8 x float>
// CHECK-NOT: select <8 x i1> %{{.*}}, <8 x float>
// CHECK-LABEL: define internal void @k.tail(
