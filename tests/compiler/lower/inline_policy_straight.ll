; Straight code on variables of its caller is inlined though the front end's accesses of variables, which become
; registers, are more instructions than the limits: otherwise its caller's variables would stay in memory. Other code of
; that length stays calls, and so does straight code that remains long.
; RUN: split-file %s %t
; RUN: seq 1000 | sed 's/.*/  store i32 &, ptr %own/' > %t/promoted
; RUN: seq 1000 | sed 's/.*/  store volatile i32 &, ptr %out/' > %t/remaining
; RUN: seq 20 | sed 's/.*/  call void @straight(ptr %variable)/' > %t/straight_calls
; RUN: seq 20 | sed 's/.*/  call void @number(i32 &)/' > %t/number_calls
; RUN: seq 20 | sed 's/.*/  call void @long(ptr %variable)/' > %t/long_calls
; RUN: cat %t/caller.ll %t/straight_calls %t/end %t/number_caller %t/number_calls %t/end %t/long_caller %t/long_calls \
; RUN:   %t/end %t/straight %t/promoted %t/end %t/number %t/promoted %t/end %t/long %t/remaining %t/end > %t/all.ll
; RUN: %heddle_opt --passes=apply-inline-policy %t/all.ll | FileCheck %s
; CHECK-LABEL: define void @caller(
; CHECK-COUNT-20: call void @straight(ptr %variable){{$}}
; CHECK-LABEL: define void @number_caller(
; CHECK-COUNT-20: call void @number(i32 {{[0-9]+}}) #[[CALL:[0-9]+]]
; CHECK-LABEL: define void @long_caller(
; CHECK-COUNT-20: call void @long(ptr %variable) #[[CALL]]
; CHECK-LABEL: define internal void @straight(
; CHECK-SAME: #[[ALWAYS:[0-9]+]]
; CHECK-DAG: attributes #[[ALWAYS]] = { alwaysinline }
; CHECK-DAG: attributes #[[CALL]] = { noinline }
;--- caller.ll
define void @caller() {
  %variable = alloca [4 x i32]
;--- number_caller
define void @number_caller() {
;--- long_caller
define void @long_caller() {
  %variable = alloca [4 x i32]
;--- straight
define internal void @straight(ptr %out) {
  %own = alloca i32
;--- number
define internal void @number(i32 %n) {
  %own = alloca i32
;--- long
define internal void @long(ptr %out) {
;--- end
  ret void
}
