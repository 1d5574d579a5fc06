; RUN: %heddle_opt --passes=apply-inline-policy %s | FileCheck %s
; Everything is inlined, whatever the program asks for, because each call is one that no vector variant exists for.
; CHECK-LABEL: define void @kernel.body(
; CHECK-SAME: #[[ALWAYS:[0-9]+]]
define void @kernel.body() {
  call void @helper()
  call void @recursive(i32 3)
  call void @__heddle_call_rarely()
  ret void
}
; CHECK-LABEL: define internal void @helper(
; CHECK-SAME: #[[ALWAYS]]
define internal void @helper() noinline optnone {
  ret void
}
; Not what is recursive, directly or not,
; CHECK-LABEL: define internal void @recursive(
; CHECK-SAME: #[[NEVER:[0-9]+]]
define internal void @recursive(i32 %n) alwaysinline {
  call void @recursive(i32 %n)
  call void @even(i32 %n)
  ret void
}
; CHECK-LABEL: define internal void @even(
; CHECK-SAME: #[[NEVER]]
define internal void @even(i32 %n) {
  call void @odd(i32 %n)
  ret void
}
; CHECK-LABEL: define internal void @odd(
; CHECK-SAME: #[[NEVER]]
define internal void @odd(i32 %n) {
  call void @even(i32 %n)
  ret void
}
; and not functions of the library that are better called.
; CHECK-LABEL: define internal void @__heddle_call_rarely(
; CHECK-SAME: #[[NEVER]]
define internal void @__heddle_call_rarely() alwaysinline {
  ret void
}
; CHECK: declare void @declared()
declare void @declared()
; CHECK-DAG: attributes #[[ALWAYS]] = { alwaysinline }
; CHECK-DAG: attributes #[[NEVER]] = { noinline }
