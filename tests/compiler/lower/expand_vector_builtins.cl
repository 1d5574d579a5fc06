// RUN: %heddlec %s --stage=annotate-subgroup-intrinsics | FileCheck %s
// A vector builtin becomes one scalar call for each component; scalar arguments are broadcast.
kernel void k(global float4* a, global float4* b) {
  a[0] = max(a[0], 1.0f);
  a[1] = clamp(a[1], a[2], a[3]);
}
// CHECK-LABEL: define internal spir_func <4 x float> @_Z3maxDv4_ff(
// CHECK: extractelement <4 x float> %0, i64 0
// CHECK: call spir_func float @_Z3maxff(float %{{.*}}, float %1)
// CHECK: extractelement <4 x float> %0, i64 3
// CHECK: call spir_func float @_Z3maxff(float %{{.*}}, float %1)
// CHECK: ret <4 x float>
