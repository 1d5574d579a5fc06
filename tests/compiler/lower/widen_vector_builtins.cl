// REQUIRES: x86
// RUN: %heddlec %s --cpu=x86-64-v3 --stage=link | FileCheck %s
// RUN: %heddlec %s --cpu=x86-64-v2 --stage=link | FileCheck %s --check-prefix=SHORT
// Vector overloads of short builtins are operations on vectors, where these fill registers. Long builtins stay calls for each
// component.
kernel void k(global float8* a, global int8* i, global float4* f, global float8* e) {
  a[0] = mix(a[0], a[1], 0.5f);
  i[0] = abs_diff(i[0], i[1]) > 0 ? clz(i[0]) : i[1];
  f[0] = max(f[0], f[1]);
  e[0] = exp(e[0]);
}
// CHECK-LABEL: define internal spir_func <8 x float> @_Z3mixDv8_fS_f(
// CHECK: [[A:%.*]] = shufflevector <8 x float> %{{.*}}, <8 x float> poison, <8 x i32> zeroinitializer
// CHECK: [[D:%.*]] = fsub <8 x float> %1, %0
// CHECK: [[R:%.*]] = call <8 x float> @llvm.fmuladd.v8f32(<8 x float> [[D]], <8 x float> [[A]], <8 x float> %0)
// CHECK: ret <8 x float> [[R]]
// CHECK-LABEL: define internal spir_func <8 x i32> @_Z8abs_diffDv8_iS_(
// CHECK: icmp slt <8 x i32> %0, %1
// CHECK: select <8 x i1>
// CHECK-LABEL: define internal spir_func <8 x i32> @_Z3clzDv8_i(
// CHECK: call <8 x i32> @llvm.ctlz.v8i32(<8 x i32> %0, i1 false)
// CHECK-LABEL: define internal spir_func <4 x float> @_Z3maxDv4_fS_(
// CHECK: call spir_func float @_Z3maxff(
// CHECK-LABEL: define internal spir_func <8 x float> @_Z3expDv8_f(
// CHECK: call spir_func float @_Z3expf(
// SHORT-LABEL: define internal spir_func <4 x float> @_Z3maxDv4_fS_(
// SHORT: fcmp olt <4 x float> %0, %1
