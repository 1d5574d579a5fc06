; Straight code on variables of its caller is inlined though the front end's accesses of variables, which become
; registers, are more instructions than the limits: otherwise its caller's variables would stay in memory. Other code of
; that length stays calls, even beside some straight code, and so does straight code that remains long.
; RUN: split-file %s %t
; RUN: seq 1000 | sed 's/.*/  store i32 &, ptr %own/' > %t/promoted
; RUN: seq 1000 | sed 's/.*/  store volatile i32 &, ptr %out/' > %t/remaining
; RUN: seq 20 | sed 's/.*/  call void @straight(ptr %variable)/' > %t/straight_calls
; RUN: seq 20 | sed 's/.*/  call void @number(i32 &)/' > %t/number_calls
; RUN: seq 20 | sed 's/.*/  call void @long(ptr %variable)/' > %t/long_calls
; RUN: seq 600 | sed 's/.*/  store volatile i32 &, ptr %out/' > %t/remaining_600
; RUN: seq 2 | sed 's/.*/  call void @long_in_registers(ptr %variable)/' > %t/two_calls
; RUN: seq 2 | sed 's/.*/  call void @branches(ptr %variable)/' > %t/branches_calls
; RUN: cat %t/caller.ll %t/straight_calls %t/end %t/number_caller %t/number_calls %t/end %t/long_caller %t/long_calls \
; RUN:   %t/end %t/two_calls_caller %t/two_calls %t/end %t/long_in_registers %t/promoted %t/promoted %t/promoted \
; RUN:   %t/promoted %t/promoted %t/promoted %t/promoted %t/remaining_600 %t/end %t/branches_caller %t/branches_calls \
; RUN:   %t/end %t/branches %t/promoted %t/promoted %t/promoted %t/promoted %t/promoted %t/promoted %t/promoted %t/promoted \
; RUN:   %t/end %t/little %t/end %t/straight %t/promoted %t/end %t/number %t/promoted %t/end %t/long %t/remaining %t/end > %t/all.ll
; RUN: %heddle_opt --passes=apply-inline-policy %t/all.ll | FileCheck %s
; CHECK-LABEL: define void @caller(
; CHECK-COUNT-20: call void @straight(ptr %variable){{$}}
; CHECK-LABEL: define void @number_caller(
; CHECK-COUNT-20: call void @number(i32 {{[0-9]+}}) #[[CALL:[0-9]+]]
; CHECK-LABEL: define void @long_caller(
; CHECK-COUNT-20: call void @long(ptr %variable) #[[CALL]]
; CHECK-LABEL: define internal void @long_in_registers(
; CHECK-SAME: #[[CALL]]
; CHECK-LABEL: define internal void @branches(
; CHECK-SAME: #[[CALL]]
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
;--- two_calls_caller
define void @two_calls_caller() {
  %variable = alloca [4 x i32]
;--- long_in_registers
define internal void @long_in_registers(ptr %out) {
  %own = alloca i32
;--- branches_caller
define void @branches_caller() {
  %variable = alloca [4 x i32]
  call void @little(ptr %variable)
;--- little
define internal void @little(ptr %out) {
  store i32 0, ptr %out
;--- branches
define internal void @branches(ptr %out) {
  %own = alloca i32
  br label %next
next:
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
