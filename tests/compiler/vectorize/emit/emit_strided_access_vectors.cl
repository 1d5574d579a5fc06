// RUN: %heddlec %s --stage=vectorize --width=8 | FileCheck %s
// float4 for each work-item: wide loads and a transpose, arithmetic component by component.
kernel void k(global float4* a, global float4* b) {
  size_t i = get_global_id(0);
  a[i] = b[i] * b[i];
}
// CHECK-LABEL: define internal void @k.whole(
// CHECK: [[ALL:%.*]] = load <32 x float>
// CHECK: shufflevector <32 x float> [[ALL]], {{.*}} <i32 0, i32 4, i32 8, i32 12, i32 16, i32 20, i32 24, i32 28>
// CHECK: shufflevector <32 x float> [[ALL]], {{.*}} <i32 3, i32 7, i32 11, i32 15, i32 19, i32 23, i32 27, i32 31>
// CHECK-COUNT-4: fmul <8 x float>
// CHECK: store <32 x float>
