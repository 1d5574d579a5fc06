; Conversions of halves are not merged with products, which would not overflow then.
; RUN: %heddle_opt --passes=separate-half-conversions %s | FileCheck %s

; CHECK-LABEL: define half @quotient(
; CHECK: %[[HALF:.*]] = uitofp i32 %x to half
; CHECK: %[[FENCE:.*]] = call half @llvm.arithmetic.fence.f16(half %[[HALF]])
; CHECK: fdiv half %[[FENCE]], 0xH6400
define half @quotient(i32 %x) {
  %half = uitofp i32 %x to half
  %result = fdiv half %half, 0xH6400
  ret half %result
}

; CHECK-LABEL: define <8 x i16> @product(
; CHECK: %[[SCALED:.*]] = fmul <8 x half> %x
; CHECK: %[[FENCE:.*]] = call <8 x half> @llvm.arithmetic.fence.v8f16(<8 x half> %[[SCALED]])
; CHECK: @llvm.fptosi.sat.v8i16.v8f16(<8 x half> %[[FENCE]])
define <8 x i16> @product(<8 x half> %x) {
  %scaled = fmul <8 x half> %x, splat (half 0xH4400)
  %result = call <8 x i16> @llvm.fptosi.sat.v8i16.v8f16(<8 x half> %scaled)
  ret <8 x i16> %result
}

; Floats have the range of all integers.
; CHECK-LABEL: define float @float_quotient(
; CHECK-NOT: fence
; CHECK: ret float
define float @float_quotient(i32 %x) {
  %float = uitofp i32 %x to float
  %result = fdiv float %float, 1.024000e+03
  ret float %result
}
