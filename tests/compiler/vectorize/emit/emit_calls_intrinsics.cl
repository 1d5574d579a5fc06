// RUN: %heddlec %s --stage=vectorize --width=8 | FileCheck %s

// Intrinsics with a vector form are called once with vectors; with uniform operands once with scalars.
kernel void fused(global float* a, float x) {
  size_t i = get_global_id(0);
  a[i] = fma(a[i], x, sqrt(x));
}
// CHECK-LABEL: define internal void @fused.whole(
// CHECK: [[ROOT:%.*]] = call {{.*}}float @llvm.sqrt.f32(float %x)
// CHECK: call <8 x float> @llvm.fma.v8f32(
// CHECK-NOT: call {{.*}}sqrt
// CHECK: ret void

kernel void saturated(global int* a, int n) {
  size_t i = get_global_id(0);
  a[i] = add_sat(a[i], n);
}
// CHECK-LABEL: define internal void @saturated.whole(
// CHECK: call <8 x i32> @llvm.sadd.sat.v8i32(
