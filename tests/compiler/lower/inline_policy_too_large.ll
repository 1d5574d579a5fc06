; Where everything inlined would be more than 15000 instructions, all but small functions stay calls.
; RUN: split-file %s %t
; RUN: seq 8000 | sed 's/.*/  store volatile i32 &, ptr @g/' > %t/stores
; RUN: cat %t/caller.ll %t/begin %t/stores %t/end > %t/large.ll
; RUN: %heddle_opt --passes=apply-inline-policy %t/large.ll | FileCheck %s
; CHECK-LABEL: define void @caller(
; CHECK-SAME: #[[ALWAYS:[0-9]+]]
; CHECK-LABEL: define internal void @small(
; CHECK-SAME: #[[ALWAYS]]
; CHECK-LABEL: define internal void @large(
; CHECK-SAME: #[[NEVER:[0-9]+]]
; CHECK-DAG: attributes #[[ALWAYS]] = { alwaysinline }
; CHECK-DAG: attributes #[[NEVER]] = { noinline }
;--- caller.ll
@g = global i32 0
define void @caller() {
  call void @large()
  call void @large()
  call void @small()
  ret void
}
define internal void @small() {
  ret void
}
;--- begin
define internal void @large() {
;--- end
  ret void
}
