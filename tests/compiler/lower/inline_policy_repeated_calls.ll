; A function of a thousand instructions that one caller calls eight times stays a call there, and is inlined elsewhere.
; RUN: split-file %s %t
; RUN: seq 1000 | sed 's/.*/  store volatile i32 &, ptr @g/' > %t/stores
; RUN: cat %t/callers.ll %t/begin %t/stores %t/end > %t/repeated.ll
; RUN: %heddle_opt --passes=apply-inline-policy %t/repeated.ll | FileCheck %s
; CHECK-LABEL: define void @eight_times(
; CHECK-COUNT-8: call void @large() #[[CALL:[0-9]+]]
; CHECK-LABEL: define void @seven_times(
; CHECK-COUNT-7: call void @large(){{$}}
; CHECK-LABEL: define internal void @large(
; CHECK-SAME: #[[ALWAYS:[0-9]+]]
; CHECK-DAG: attributes #[[ALWAYS]] = { alwaysinline }
; CHECK-DAG: attributes #[[CALL]] = { noinline }
;--- callers.ll
@g = global i32 0
define void @eight_times() {
  call void @large()
  call void @large()
  call void @large()
  call void @large()
  call void @large()
  call void @large()
  call void @large()
  call void @large()
  ret void
}
define void @seven_times() {
  call void @large()
  call void @large()
  call void @large()
  call void @large()
  call void @large()
  call void @large()
  call void @large()
  ret void
}
;--- begin
define internal void @large() {
;--- end
  ret void
}
