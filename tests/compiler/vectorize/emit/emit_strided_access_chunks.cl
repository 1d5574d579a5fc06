// RUN: %heddlec %s --stage=vectorize --width=8 | FileCheck %s
// float8 for each work-item: 16 bytes at a time, of which those of four are transposed together.
kernel void k(global float8* a, global float8* b) {
  size_t i = get_global_id(0);
  a[i] = b[i] * b[i];
}
// CHECK-LABEL: define internal void @k.whole(
// CHECK-NOT: <64 x float>
// CHECK-COUNT-8: load <4 x float>
// CHECK: shufflevector <4 x float>
// CHECK-COUNT-8: load <4 x float>
// CHECK-COUNT-8: fmul <8 x float>
// CHECK-COUNT-16: store <4 x float>
// CHECK-NOT: <64 x float>
// CHECK-LABEL: define
