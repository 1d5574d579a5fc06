; RUN: split-file %s %t
; RUN: %heddle_opt --passes=choose-width,canonicalize,form-barrier-regions %t/function.ll | FileCheck %s
; RUN: not %heddle_opt '--passes=kernel-body(canonicalize)' %t/kernel.ll 2>&1 | FileCheck %s --check-prefix=PLAN
; RUN: not %heddle_opt --passes=lower-barriers %t/barrier.ll 2>&1 | FileCheck %s --check-prefix=PARAMS

; A pass on kernels leaves other functions alone.
; CHECK-LABEL: define i32 @helper(
; CHECK-NEXT: switch i32 %x

; What a pass needs of those before it is an error with the name of the pass that is missing.
; PLAN: 'kernel.body' has no vectorization plan: choose-width must run first
; PARAMS: 'kernel.body' has no parameters for the work-item: add-work-item-params must run first
;--- function.ll
define i32 @helper(i32 %x) {
  switch i32 %x, label %other [ i32 1, label %one
                                i32 2, label %two ]
one:
  ret i32 10
two:
  ret i32 20
other:
  ret i32 0
}
;--- kernel.ll
define void @kernel.body(ptr %group, i64 %x, i64 %y, i64 %z) #0 {
  ret void
}
attributes #0 = { "heddle-kernel"="kernel" "heddle-work-item-state" }
;--- barrier.ll
declare void @heddle.barrier() #1
define void @kernel.body(ptr addrspace(1) %out) #0 {
  call void @heddle.barrier()
  ret void
}
attributes #0 = { "heddle-kernel"="kernel" }
attributes #1 = { convergent noduplicate nounwind }
