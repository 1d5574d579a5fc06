; Where everything inlined would be more than 15000 instructions, functions of numbers stay calls first, those that would be
; most code before the others.
; RUN: split-file %s %t
; RUN: seq 1000 | sed 's/.*/  fence seq_cst/' > %t/thousand
; RUN: cat %t/caller.ll %t/less %t/thousand %t/end %t/more %t/thousand %t/thousand %t/end %t/other %t/thousand %t/done > %t/numbers.ll
; RUN: %heddle_opt --passes=apply-inline-policy %t/numbers.ll | FileCheck %s
; CHECK-LABEL: define void @caller(
; CHECK: call float @less(float 1.000000e+00){{$}}
; CHECK-COUNT-7: call float @more(float 1.000000e+00) #[[CALL:[0-9]+]]
; CHECK: call void @other(){{$}}
; CHECK: attributes #[[CALL]] = { noinline }
;--- caller.ll
define void @caller() {
  call float @less(float 1.0)
  call float @more(float 1.0)
  call float @more(float 1.0)
  call float @more(float 1.0)
  call float @more(float 1.0)
  call float @more(float 1.0)
  call float @more(float 1.0)
  call float @more(float 1.0)
  call void @other()
  ret void
}
;--- less
define internal float @less(float %x) {
;--- end
  ret float %x
}
;--- more
define internal float @more(float %x) {
;--- other
define internal void @other() {
;--- done
  ret void
}
