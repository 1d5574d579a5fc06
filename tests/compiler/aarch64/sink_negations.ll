; Negations of factors go behind the products, to the multiply-adds that subtract them.
; RUN: %heddle_opt --passes=sink-negations --cpu=armv8-a %s | FileCheck %s

; CHECK-LABEL: define <4 x float> @factor(
; CHECK-NEXT: %square = fmul contract <4 x float> %x, %x
; CHECK-NEXT: %cube = fmul contract <4 x float> %square, %x
; CHECK-NEXT: [[NEGATED:%.*]] = fneg <4 x float> %cube
; CHECK-NEXT: call contract <4 x float> @llvm.fma.v4f32(<4 x float> [[NEGATED]], <4 x float> %y, <4 x float> %x)
define <4 x float> @factor(<4 x float> %x, <4 x float> %y) {
  %square = fmul contract <4 x float> %x, %x
  %negative = fneg contract <4 x float> %x
  %cube = fmul contract <4 x float> %square, %negative
  %r = call contract <4 x float> @llvm.fma.v4f32(<4 x float> %cube, <4 x float> %y, <4 x float> %x)
  ret <4 x float> %r
}

; A factor that is a product of negations, and one that is not.
; CHECK-LABEL: define double @inner(
; CHECK-NEXT: %a = fmul double %x, %y
; CHECK-NEXT: %b = fmul double %a, %y
; CHECK-NEXT: call double @llvm.fmuladd.f64(double %z, double %b, double %x)
define double @inner(double %x, double %y, double %z) {
  %nx = fneg double %x
  %ny = fneg double %y
  %a = fmul double %nx, %y
  %b = fmul double %a, %ny
  %r = call double @llvm.fmuladd.f64(double %z, double %b, double %x)
  ret double %r
}

; What is used otherwise stays: the product, and the negation.
; CHECK-LABEL: define float @used(
; CHECK: %negative = fneg float %x
; CHECK-NEXT: %product = fmul float %negative, %y
; CHECK-NEXT: @llvm.fma.f32(float %product,
define float @used(float %x, float %y, float %z) {
  %negative = fneg float %x
  %product = fmul float %negative, %y
  %sum = call float @llvm.fma.f32(float %product, float %y, float %z)
  %r = fadd float %sum, %product
  ret float %r
}

; Sums of negative values are no products.
; CHECK-LABEL: define float @added(
; CHECK-NEXT: %negative = fneg float %x
; CHECK-NEXT: %product = fmul float %negative, %y
; CHECK-NEXT: @llvm.fma.f32(float %y, float %z, float %product)
define float @added(float %x, float %y, float %z) {
  %negative = fneg float %x
  %product = fmul float %negative, %y
  %r = call float @llvm.fma.f32(float %y, float %z, float %product)
  ret float %r
}
