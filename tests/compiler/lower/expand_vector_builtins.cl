// RUN: %heddlec %s --stage=annotate-subgroup-intrinsics | FileCheck %s
// A vector builtin becomes one scalar call for each component; scalar arguments are broadcast.
kernel void k(global float2* a, global float2* b) {
  a[0] = max(a[0], 1.0f);
  a[1] = clamp(a[1], a[2], a[3]);
}
// CHECK-LABEL: define internal spir_func <2 x float> @_Z3maxDv2_ff(
// CHECK: extractelement <2 x float> %0, i64 0
// CHECK: call spir_func float @_Z3maxff(float %{{.*}}, float %1)
// CHECK: extractelement <2 x float> %0, i64 1
// CHECK: call spir_func float @_Z3maxff(float %{{.*}}, float %1)
// CHECK: ret <2 x float>
