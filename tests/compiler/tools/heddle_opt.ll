; RUN: split-file %s %t
; RUN: %heddle_opt --passes=internalize-all,mark-vectorized %t/good.ll | FileCheck %s
; RUN: %heddle_opt --passes=internalize-all - < %t/good.ll | FileCheck %s
; RUN: %heddle_opt --passes='module(internalize-all,function(instcombine,promote-pointers))' %t/good.ll | FileCheck %s
; RUN: %heddle_opt --passes=internalize-all --print-after=internalize-all %t/good.ll 2>&1 >%t/out | FileCheck %s --check-prefix=AFTER
; RUN: %heddle_opt --passes=internalize-all,lower-barriers --print-changed %t/good.ll 2>&1 >%t/out | FileCheck %s --check-prefix=CHANGED
; CHECK: define internal void @f()
; AFTER: ; IR after internalize-all
; AFTER: define internal void @f()
; CHANGED: *** IR Dump After {{.*}}InternalizeAllPass
; CHANGED: define internal void @f()
; CHANGED-NOT: LowerBarriersPass

; What is wrong with a command line is said, with status 2.
; RUN: not %heddle_opt --passes=nonsense %t/good.ll 2>&1 | FileCheck %s --check-prefix=PASS
; RUN: not %heddle_opt %t/good.ll 2>&1 | FileCheck %s --check-prefix=NO-PASS
; RUN: not %heddle_opt --passes=internalize-all --unknown %t/good.ll 2>&1 | FileCheck %s --check-prefix=OPTION
; RUN: not %heddle_opt --passes=internalize-all --cpu=z80 %t/good.ll 2>&1 | FileCheck %s --check-prefix=CPU
; RUN: not %heddle_opt --passes=internalize-all 2>&1 | FileCheck %s --check-prefix=INPUT
; RUN: not %heddle_opt --passes=internalize-all %t/missing.ll 2>&1 | FileCheck %s --check-prefix=MISSING
; PASS: heddle-opt: unknown pass name 'nonsense'
; NO-PASS: heddle-opt: unknown pass name ''
; OPTION: heddle-opt: '--unknown' is not an option
; CPU: heddle-opt: unknown CPU 'z80'
; INPUT: heddle-opt: no input
; MISSING: heddle-opt: {{.*}}missing.ll: error: Could not open input file

; So is what is wrong with the input: no pass runs on it.
; RUN: not %heddle_opt --passes=internalize-all %t/syntax.ll 2>&1 | FileCheck %s --check-prefix=SYNTAX
; RUN: not %heddle_opt --passes=internalize-all %t/invalid.ll 2>&1 | FileCheck %s --check-prefix=INVALID --implicit-check-not=InternalizeAllPass
; SYNTAX: heddle-opt: {{.*}}syntax.ll:2:3: error: expected instruction opcode
; INVALID: Instruction does not dominate all uses!
; INVALID: heddle-opt: the input is not valid IR
;--- good.ll
define void @f() {
  ret void
}
;--- syntax.ll
define void @f() {
  return void
}
;--- invalid.ll
define void @f() {
  %a = add i32 %b, 1
  %b = add i32 %a, 1
  ret void
}
