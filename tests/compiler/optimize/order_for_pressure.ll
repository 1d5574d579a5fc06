; RUN: %heddle_opt --passes=order-for-pressure %s | FileCheck %s
; InstCombine moves a sum into the block of its only use one instruction after the other, the last
; first. Twelve loads would then be alive at the same time; afterwards each is added at once.
; CHECK-LABEL: define void @sunk(
; CHECK: [[P1:%.*]] = getelementptr float, ptr %a, i64 1
; CHECK-NEXT: [[A1:%.*]] = load float, ptr [[P1]]
; CHECK-NEXT: [[A0:%.*]] = load float, ptr %a
; CHECK-NEXT: [[S1:%.*]] = fadd float [[A0]], [[A1]]
; CHECK-NEXT: [[P2:%.*]] = getelementptr float, ptr %a, i64 2
; CHECK-NEXT: [[A2:%.*]] = load float, ptr [[P2]]
; CHECK-NEXT: fadd float [[S1]], [[A2]]
define void @sunk(ptr %a, ptr %b) {
  %p12 = getelementptr float, ptr %a, i64 12
  %a12 = load float, ptr %p12
  %p11 = getelementptr float, ptr %a, i64 11
  %a11 = load float, ptr %p11
  %p10 = getelementptr float, ptr %a, i64 10
  %a10 = load float, ptr %p10
  %p9 = getelementptr float, ptr %a, i64 9
  %a9 = load float, ptr %p9
  %p8 = getelementptr float, ptr %a, i64 8
  %a8 = load float, ptr %p8
  %p7 = getelementptr float, ptr %a, i64 7
  %a7 = load float, ptr %p7
  %p6 = getelementptr float, ptr %a, i64 6
  %a6 = load float, ptr %p6
  %p5 = getelementptr float, ptr %a, i64 5
  %a5 = load float, ptr %p5
  %p4 = getelementptr float, ptr %a, i64 4
  %a4 = load float, ptr %p4
  %p3 = getelementptr float, ptr %a, i64 3
  %a3 = load float, ptr %p3
  %p2 = getelementptr float, ptr %a, i64 2
  %a2 = load float, ptr %p2
  %p1 = getelementptr float, ptr %a, i64 1
  %a1 = load float, ptr %p1
  %a0 = load float, ptr %a
  %s1 = fadd float %a0, %a1
  %s2 = fadd float %s1, %a2
  %s3 = fadd float %s2, %a3
  %s4 = fadd float %s3, %a4
  %s5 = fadd float %s4, %a5
  %s6 = fadd float %s5, %a6
  %s7 = fadd float %s6, %a7
  %s8 = fadd float %s7, %a8
  %s9 = fadd float %s8, %a9
  %s10 = fadd float %s9, %a10
  %s11 = fadd float %s10, %a11
  %s12 = fadd float %s11, %a12
  store float %s12, ptr %b
  ret void
}

; No load moves across a store.
; CHECK-LABEL: define void @stored(
; CHECK: load float, ptr %p7
; CHECK: store float 1.000000e+00
; CHECK: load float, ptr %p5
define void @stored(ptr %a, ptr %b) {
  %p12 = getelementptr float, ptr %a, i64 12
  %a12 = load float, ptr %p12
  %p11 = getelementptr float, ptr %a, i64 11
  %a11 = load float, ptr %p11
  %p10 = getelementptr float, ptr %a, i64 10
  %a10 = load float, ptr %p10
  %p9 = getelementptr float, ptr %a, i64 9
  %a9 = load float, ptr %p9
  %p8 = getelementptr float, ptr %a, i64 8
  %a8 = load float, ptr %p8
  %p7 = getelementptr float, ptr %a, i64 7
  %a7 = load float, ptr %p7
  %p6 = getelementptr float, ptr %a, i64 6
  %a6 = load float, ptr %p6
  store float 1.0, ptr %b
  %p5 = getelementptr float, ptr %a, i64 5
  %a5 = load float, ptr %p5
  %p4 = getelementptr float, ptr %a, i64 4
  %a4 = load float, ptr %p4
  %p3 = getelementptr float, ptr %a, i64 3
  %a3 = load float, ptr %p3
  %p2 = getelementptr float, ptr %a, i64 2
  %a2 = load float, ptr %p2
  %p1 = getelementptr float, ptr %a, i64 1
  %a1 = load float, ptr %p1
  %a0 = load float, ptr %a
  %s1 = fadd float %a0, %a1
  %s2 = fadd float %s1, %a2
  %s3 = fadd float %s2, %a3
  %s4 = fadd float %s3, %a4
  %s5 = fadd float %s4, %a5
  %s6 = fadd float %s5, %a6
  %s7 = fadd float %s6, %a7
  %s8 = fadd float %s7, %a8
  %s9 = fadd float %s8, %a9
  %s10 = fadd float %s9, %a10
  %s11 = fadd float %s10, %a11
  %s12 = fadd float %s11, %a12
  store float %s12, ptr %b
  ret void
}
