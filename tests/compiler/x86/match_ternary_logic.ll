; RUN: %heddle_opt --passes=match-ternary-logic %s | FileCheck %s
; Bitwise operations of three operands become one instruction, with their truth table as immediate, where that saves two.

; a ^ (b & (c ^ a)) has three operations: f0 ^ (cc & (aa ^ f0)) is b8.
; CHECK-LABEL: define <16 x i32> @choose(
; CHECK-NEXT: [[RESULT:%.*]] = call <16 x i32> @llvm.x86.avx512.pternlog.d.512(<16 x i32> %a, <16 x i32> %b, <16 x i32> %c, i32 184)
; CHECK-NEXT: ret <16 x i32> [[RESULT]]
define <16 x i32> @choose(<16 x i32> %a, <16 x i32> %b, <16 x i32> %c) {
  %x = xor <16 x i32> %c, %a
  %y = and <16 x i32> %b, %x
  %z = xor <16 x i32> %a, %y
  ret <16 x i32> %z
}

; Registers of 256 bits, and elements of other sizes.
; CHECK-LABEL: define <4 x i64> @elements(
; CHECK: bitcast <4 x i64> %{{[abc]}} to <8 x i32>
; CHECK: call <8 x i32> @llvm.x86.avx512.pternlog.d.256(
; CHECK: bitcast <8 x i32> %{{.*}} to <4 x i64>
define <4 x i64> @elements(<4 x i64> %a, <4 x i64> %b, <4 x i64> %c) {
  %x = xor <4 x i64> %c, %a
  %y = and <4 x i64> %b, %x
  %z = xor <4 x i64> %a, %y
  ret <4 x i64> %z
}

; Vectors of several registers take one instruction each.
; CHECK-LABEL: define <32 x i32> @registers(
; CHECK-COUNT-2: call <16 x i32> @llvm.x86.avx512.pternlog.d.512(
; CHECK: shufflevector <16 x i32> %{{.*}}, <16 x i32> %{{.*}}, <32 x i32>
define <32 x i32> @registers(<32 x i32> %a, <32 x i32> %b, <32 x i32> %c) {
  %x = xor <32 x i32> %c, %a
  %y = and <32 x i32> %b, %x
  %z = xor <32 x i32> %a, %y
  ret <32 x i32> %z
}

; Code generation finds two operations by itself. A value with other users has to be computed anyway.
; CHECK-LABEL: define <16 x i32> @few(
; CHECK-NEXT: xor
; CHECK-NEXT: and
; CHECK-NEXT: ret
define <16 x i32> @few(<16 x i32> %a, <16 x i32> %b, <16 x i32> %c) {
  %x = xor <16 x i32> %c, %a
  %y = and <16 x i32> %b, %x
  ret <16 x i32> %y
}
; CHECK-LABEL: define <16 x i32> @used(
; CHECK-NOT: pternlog
; CHECK: ret
define <16 x i32> @used(<16 x i32> %a, <16 x i32> %b, <16 x i32> %c, ptr %p) {
  %x = xor <16 x i32> %c, %a
  store <16 x i32> %x, ptr %p
  %y = and <16 x i32> %b, %x
  %z = xor <16 x i32> %a, %y
  ret <16 x i32> %z
}

; Four inputs, scalars, masks, and vectors that do not fill registers.
; CHECK-LABEL: define <16 x i32> @four(
; CHECK-NOT: pternlog
; CHECK: ret
define <16 x i32> @four(<16 x i32> %a, <16 x i32> %b, <16 x i32> %c, <16 x i32> %d) {
  %x = xor <16 x i32> %a, %b
  %y = and <16 x i32> %c, %d
  %z = or <16 x i32> %x, %y
  ret <16 x i32> %z
}
; CHECK-LABEL: define i32 @scalar(
; CHECK-NOT: pternlog
; CHECK: ret
define i32 @scalar(i32 %a, i32 %b, i32 %c) {
  %x = xor i32 %c, %a
  %y = and i32 %b, %x
  %z = xor i32 %a, %y
  ret i32 %z
}
; CHECK-LABEL: define <128 x i1> @masks(
; CHECK-NOT: pternlog
; CHECK: ret
define <128 x i1> @masks(<128 x i1> %a, <128 x i1> %b, <128 x i1> %c) {
  %x = xor <128 x i1> %c, %a
  %y = and <128 x i1> %b, %x
  %z = xor <128 x i1> %a, %y
  ret <128 x i1> %z
}
; CHECK-LABEL: define <3 x i32> @three(
; CHECK-NOT: pternlog
; CHECK: ret
define <3 x i32> @three(<3 x i32> %a, <3 x i32> %b, <3 x i32> %c) {
  %x = xor <3 x i32> %c, %a
  %y = and <3 x i32> %b, %x
  %z = xor <3 x i32> %a, %y
  ret <3 x i32> %z
}
