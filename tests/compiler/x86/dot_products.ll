; RUN: split-file %s %t
; RUN: %heddle_opt --passes=mark-target-math --cpu=icelake-server %t/mark.ll | FileCheck %s --check-prefix=MARK
; RUN: %heddle_opt --passes=mark-target-math --cpu=x86-64-v4 %t/mark.ll | FileCheck %s --check-prefix=PLAIN
; RUN: %heddle_opt --passes=lower-target-math %t/lower.ll | FileCheck %s

; Dot products of bytes lose their bodies where the CPU has VNNI, which the library is told. Level 4 of x86-64 does not
; include it.
; MARK-LABEL: define i1 @caller(
; MARK: ret i1 true
; MARK: declare dso_local i32 @__heddle_math_dot_i(i32, i32, i32)
; PLAIN-LABEL: define i1 @caller(
; PLAIN: call i1 @__heddle_math_has_dot()
; PLAIN: define internal i32 @__heddle_math_dot_i(
;--- mark.ll
define i1 @caller(i32 %a, i32 %b) {
  %d = call i32 @__heddle_math_dot_i(i32 0, i32 %a, i32 %b)
  %has = call i1 @__heddle_math_has_dot()
  ret i1 %has
}
define internal i32 @__heddle_math_dot_i(i32 %sum, i32 %a, i32 %b) alwaysinline {
  ret i32 %sum
}
declare i1 @__heddle_math_has_dot()
;--- lower.ll

; One register; the bytes are those of the 32-bit elements.
; CHECK-LABEL: define <16 x i32> @one_register(
; CHECK: %[[A:.*]] = bitcast <16 x i32> %a to <64 x i8>
; CHECK: %[[B:.*]] = bitcast <16 x i32> %b to <64 x i8>
; CHECK: call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> %sum, <64 x i8> %[[A]], <64 x i8> %[[B]])
define <16 x i32> @one_register(<16 x i32> %sum, <16 x i32> %a, <16 x i32> %b) {
  %d = call <16 x i32> @__heddle_math_dot_i_v16(<16 x i32> %sum, <16 x i32> %a, <16 x i32> %b)
  ret <16 x i32> %d
}
declare <16 x i32> @__heddle_math_dot_i_v16(<16 x i32>, <16 x i32>, <16 x i32>)

; Two registers.
; CHECK-LABEL: define <32 x i32> @two_registers(
; CHECK-COUNT-2: call <16 x i32> @llvm.x86.avx512.vpdpbusds.512(
; CHECK-NOT: vpdpbusds
define <32 x i32> @two_registers(<32 x i32> %sum, <32 x i32> %a, <32 x i32> %b) {
  %d = call <32 x i32> @__heddle_math_dot_sat_i_v32(<32 x i32> %sum, <32 x i32> %a, <32 x i32> %b)
  ret <32 x i32> %d
}
declare <32 x i32> @__heddle_math_dot_sat_i_v32(<32 x i32>, <32 x i32>, <32 x i32>)

; A scalar is the first element of the smallest register.
; CHECK-LABEL: define i32 @scalar(
; CHECK: call <4 x i32> @llvm.x86.avx512.vpdpbusd.128(
; CHECK: extractelement <4 x i32>
define i32 @scalar(i32 %sum, i32 %a, i32 %b) {
  %d = call i32 @__heddle_math_dot_i(i32 %sum, i32 %a, i32 %b)
  ret i32 %d
}
declare i32 @__heddle_math_dot_i(i32, i32, i32)
