; Multiply-adds are fused before LLVM vectorizes, except of halves that are expanded.
; RUN: %heddle_opt --passes=fuse-multiply-adds --cpu=armv8-a %s | FileCheck %s --check-prefixes=CHECK,FLOATS
; RUN: %heddle_opt --passes=fuse-multiply-adds --cpu=armv8.2-a+fp16 %s | FileCheck %s --check-prefixes=CHECK,HALVES

; CHECK-LABEL: define <4 x float> @floats(
; CHECK: call contract <4 x float> @llvm.fma.v4f32(<4 x float> %a, <4 x float> %b, <4 x float> %c)
define <4 x float> @floats(<4 x float> %a, <4 x float> %b, <4 x float> %c) {
  %r = call contract <4 x float> @llvm.fmuladd.v4f32(<4 x float> %a, <4 x float> %b, <4 x float> %c)
  ret <4 x float> %r
}

; CHECK-LABEL: define double @doubles(
; CHECK: call double @llvm.fma.f64(double %a, double %b, double %c)
define double @doubles(double %a, double %b, double %c) {
  %r = call double @llvm.fmuladd.f64(double %a, double %b, double %c)
  ret double %r
}

; CHECK-LABEL: define half @halves(
; FLOATS: call half @llvm.fmuladd.f16(
; HALVES: call half @llvm.fma.f16(
define half @halves(half %a, half %b, half %c) {
  %r = call half @llvm.fmuladd.f16(half %a, half %b, half %c)
  ret half %r
}
