; RUN: %heddle_opt --passes=lower-builtin-local-memory %s | FileCheck %s
; Calls that ask for the library's local memory become one variable each.
; CHECK-DAG: @heddle.group_reservation = internal addrspace(3) global [1 x i64] poison, align 8
; CHECK-DAG: @heddle.group_results = internal addrspace(3) global [3 x i64] poison, align 8
; CHECK-NOT: declare {{.*}}@__heddle_group_
declare ptr addrspace(3) @__heddle_group_reservation()
declare ptr addrspace(3) @__heddle_group_results()
; CHECK: declare ptr addrspace(3) @__heddle_group_other()
declare ptr addrspace(3) @__heddle_group_other()

; CHECK-LABEL: define void @reserve(
; CHECK-NEXT: store i64 1, ptr addrspace(3) @heddle.group_reservation
; CHECK-NEXT: store i64 2, ptr addrspace(3) @heddle.group_reservation
; CHECK-NEXT: ret void
define void @reserve() {
  %a = call ptr addrspace(3) @__heddle_group_reservation()
  store i64 1, ptr addrspace(3) %a
  %b = call ptr addrspace(3) @__heddle_group_reservation()
  store i64 2, ptr addrspace(3) %b
  ret void
}

; CHECK-LABEL: define i64 @result(
; CHECK-NEXT: [[VALUE:%.*]] = load i64, ptr addrspace(3) @heddle.group_results
; CHECK-NEXT: ret i64 [[VALUE]]
define i64 @result() {
  %p = call ptr addrspace(3) @__heddle_group_results()
  %value = load i64, ptr addrspace(3) %p
  ret i64 %value
}

; Other functions stay.
; CHECK-LABEL: define ptr addrspace(3) @other(
; CHECK-NEXT: call ptr addrspace(3) @__heddle_group_other()
define ptr addrspace(3) @other() {
  %p = call ptr addrspace(3) @__heddle_group_other()
  ret ptr addrspace(3) %p
}
