; RUN: %heddle_opt --passes=guard-division %s | FileCheck %s
; RUN: %heddle_opt --passes=guard-division --check=division %s | FileCheck %s --check-prefix=TRAP
; A division by zero gives any value, but must not trap.

; CHECK-LABEL: define i32 @unsigned(
; CHECK-NEXT: [[DIVISOR:%.*]] = freeze i32 %b
; CHECK-NEXT: [[ZERO:%.*]] = icmp eq i32 [[DIVISOR]], 0
; CHECK-NEXT: [[SAFE:%.*]] = select i1 [[ZERO]], i32 1, i32 [[DIVISOR]]
; CHECK-NEXT: [[RESULT:%.*]] = udiv i32 %a, [[SAFE]]
; CHECK-NEXT: ret i32 [[RESULT]]
; TRAP-LABEL: define i32 @unsigned(
; TRAP: [[ZERO:%.*]] = icmp eq i32
; TRAP: br i1 [[ZERO]], label %[[FAULT:.*]], label %[[DIVIDE:.*]]
; TRAP: [[FAULT]]:
; TRAP-NEXT: call void (i32, ptr, ...) @__heddle_check(i32 24, ptr null, i1 [[ZERO]])
; TRAP-NEXT: br label %[[DIVIDE]]
; TRAP: [[DIVIDE]]:
; TRAP-NEXT: udiv i32
define i32 @unsigned(i32 %a, i32 %b) {
  %result = udiv i32 %a, %b
  ret i32 %result
}

; So does the quotient of the least number and -1.
; CHECK-LABEL: define i32 @signed(
; CHECK-DAG: [[DIVISOR:%.*]] = freeze i32 %b
; CHECK-DAG: [[DIVIDEND:%.*]] = freeze i32 %a
; CHECK-DAG: [[ZERO:%.*]] = icmp eq i32 [[DIVISOR]], 0
; CHECK-DAG: [[LEAST:%.*]] = icmp eq i32 [[DIVIDEND]], -2147483648
; CHECK-DAG: [[MINUS_ONE:%.*]] = icmp eq i32 [[DIVISOR]], -1
; CHECK: [[OVERFLOWS:%.*]] = and i1 [[LEAST]], [[MINUS_ONE]]
; CHECK-NEXT: [[TRAPS:%.*]] = or i1 [[ZERO]], [[OVERFLOWS]]
; CHECK-NEXT: [[SAFE:%.*]] = select i1 [[TRAPS]], i32 1, i32 [[DIVISOR]]
; CHECK-NEXT: srem i32 [[DIVIDEND]], [[SAFE]]
define i32 @signed(i32 %a, i32 %b) {
  %result = srem i32 %a, %b
  ret i32 %result
}

; CHECK-LABEL: define <4 x i64> @vector(
; CHECK: [[ZERO:%.*]] = icmp eq <4 x i64> %{{.*}}, zeroinitializer
; CHECK: select <4 x i1> [[ZERO]], <4 x i64> splat (i64 1), <4 x i64>
; CHECK-NEXT: urem <4 x i64>
; TRAP-LABEL: define <4 x i64> @vector(
; TRAP: [[ANY:%.*]] = call i1 @llvm.vector.reduce.or.v4i1(
; TRAP: br i1 [[ANY]], label %[[FAULT:.*]], label
; TRAP: [[FAULT]]:
; TRAP-NEXT: call void (i32, ptr, ...) @__heddle_check(i32 24, ptr null, i1 [[ANY]])
define <4 x i64> @vector(<4 x i64> %a, <4 x i64> %b) {
  %result = urem <4 x i64> %a, %b
  ret <4 x i64> %result
}

; Divisors that are constant and safe stay; -1 is safe for unsigned division only.
; CHECK-LABEL: define void @constants(
; CHECK-NEXT: sdiv i32 %a, 7
; CHECK-NEXT: udiv i32 %a, -1
; CHECK-NEXT: sdiv <4 x i32> %v, splat (i32 3)
; CHECK-NEXT: fdiv float %f, 0.000000e+00
; CHECK: icmp eq i32 %{{.*}}, -2147483648
; CHECK: sdiv i32
; CHECK-NEXT: ret void
; TRAP-LABEL: define void @constants(
; TRAP-NEXT: sdiv i32 %a, 7
; TRAP-NEXT: udiv i32 %a, -1
define void @constants(i32 %a, <4 x i32> %v, float %f) {
  %by_seven = sdiv i32 %a, 7
  %unsigned = udiv i32 %a, -1
  %vector = sdiv <4 x i32> %v, splat (i32 3)
  %float = fdiv float %f, 0.0
  %signed = sdiv i32 %a, -1
  ret void
}
