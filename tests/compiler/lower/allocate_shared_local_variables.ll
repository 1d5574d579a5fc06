; RUN: %heddle_opt --passes=allocate-local-variables %s | FileCheck %s
; What several kernels use, through a function of the library, is at the same offset for all, before their own variables.
@heddle.group_results = internal addrspace(3) global [3 x i64] poison, align 8
@one.own = internal addrspace(3) global i32 poison, align 4

; CHECK-LABEL: define void @one.body(
; CHECK: call ptr addrspace(3) @heddle.local_variable(ptr %group, i64 24, i64 4)
define void @one.body(ptr %group, i64 %x, i64 %y, i64 %z) #0 {
  store i32 1, ptr addrspace(3) @one.own
  call void @helper(ptr %group, i64 %x, i64 %y, i64 %z)
  ret void
}
define void @two.body(ptr %group, i64 %x, i64 %y, i64 %z) #1 {
  call void @helper(ptr %group, i64 %x, i64 %y, i64 %z)
  ret void
}
; CHECK-LABEL: define internal void @helper(
; CHECK: call ptr addrspace(3) @heddle.local_variable(ptr %group, i64 0, i64 24)
define internal void @helper(ptr %group, i64 %x, i64 %y, i64 %z) "heddle-work-item-state" {
  store i64 1, ptr addrspace(3) @heddle.group_results
  ret void
}
attributes #0 = { "heddle-kernel"="one" "heddle-work-item-state" }
attributes #1 = { "heddle-kernel"="two" "heddle-work-item-state" }
