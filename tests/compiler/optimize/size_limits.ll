; Functions that are too large are neither inlined nor optimized; such with a block that is too long are not scheduled.
; RUN: split-file %s %t
; RUN: seq 8001 | sed 's/.*/  store volatile i32 &, ptr @g/' > %t/stores
; RUN: cat %t/begin %t/stores %t/end > %t/large.ll
; RUN: cat %t/begin %t/stores %t/stores %t/stores %t/stores %t/stores %t/stores %t/stores %t/stores %t/end > %t/huge.ll
; RUN: %heddle_opt --passes=limit-huge-functions %t/huge.ll | FileCheck %s
; RUN: %heddle_opt --passes=limit-huge-functions %t/small.ll | FileCheck %s --check-prefix=SMALL
; RUN: %heddle_opt --passes=limit-scheduling %t/large.ll | FileCheck %s
; RUN: %heddle_opt --passes=limit-scheduling %t/small.ll | FileCheck %s --check-prefix=SMALL
; Without optimization there is none for size either: LLVM's verifier rejects both.
; RUN: sed 's/alwaysinline/minsize optsize/' %t/large.ll > %t/for_size.ll
; RUN: %heddle_opt --passes=limit-scheduling %t/for_size.ll | FileCheck %s --check-prefix=SIZE
; RUN: sed 's/alwaysinline/minsize optsize/' %t/huge.ll > %t/huge_for_size.ll
; RUN: %heddle_opt --passes=limit-huge-functions %t/huge_for_size.ll | FileCheck %s --check-prefix=SIZE
; SIZE-DAG: define void @small() #[[FOR_SIZE:[0-9]+]]
; SIZE-DAG: define void @large() #[[LARGE:[0-9]+]]
; SIZE-DAG: attributes #[[FOR_SIZE]] = { minsize optsize }
; SIZE-DAG: attributes #[[LARGE]] = { noinline optnone }
; CHECK-LABEL: define void @small(
; CHECK-SAME: #[[INLINED:[0-9]+]]
; CHECK-LABEL: define void @large(
; CHECK-SAME: #[[LARGE:[0-9]+]]
; CHECK-DAG: attributes #[[INLINED]] = { alwaysinline }
; CHECK-DAG: attributes #[[LARGE]] = { noinline optnone }
; SMALL: define void @small() #[[INLINED:[0-9]+]]
; SMALL: attributes #[[INLINED]] = { alwaysinline }
;--- small.ll
define void @small() alwaysinline {
  ret void
}
;--- begin
@g = global i32 0
define void @small() alwaysinline {
  ret void
}
define void @large() alwaysinline {
;--- end
  ret void
}
