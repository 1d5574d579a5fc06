; RUN: %heddle_opt --passes=drop-private-volatile %s | FileCheck %s
; Volatile accesses to private integers that nothing else can see become plain ones.

declare void @show(ptr)

; CHECK-LABEL: define i32 @number(
; CHECK: store i32 %x, ptr %v
; CHECK: load i32, ptr %v
define i32 @number(i32 %x) {
  %v = alloca i32
  store volatile i32 %x, ptr %v
  %y = load volatile i32, ptr %v
  ret i32 %y
}

; CHECK-LABEL: define i32 @array(
; CHECK: store i32 %x, ptr %p
define i32 @array(i32 %x, i64 %i) {
  %v = alloca [4 x i32]
  %p = getelementptr [4 x i32], ptr %v, i64 0, i64 %i
  store volatile i32 %x, ptr %p
  %y = load i32, ptr %v
  ret i32 %y
}

; Another function may change it.
; CHECK-LABEL: define i32 @escapes(
; CHECK: store volatile
; CHECK: load volatile
define i32 @escapes(i32 %x) {
  %v = alloca i32
  store volatile i32 %x, ptr %v
  call void @show(ptr %v)
  %y = load volatile i32, ptr %v
  ret i32 %y
}

; Programs order sums by it.
; CHECK-LABEL: define float @sum(
; CHECK: store volatile
; CHECK: load volatile
define float @sum(float %x) {
  %v = alloca float
  store volatile float %x, ptr %v
  %y = load volatile float, ptr %v
  ret float %y
}

; Memory of the program is not private.
; CHECK-LABEL: define i32 @global(
; CHECK: load volatile
define i32 @global(ptr addrspace(1) %p) {
  %y = load volatile i32, ptr addrspace(1) %p
  ret i32 %y
}
