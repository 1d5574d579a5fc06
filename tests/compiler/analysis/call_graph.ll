; RUN: %heddle_opt --passes=mark-barriers %s | FileCheck %s
; What a function reaches through several calls, also recursive ones, is part of it: a barrier there weakens its restrict
; pointers.
declare void @_Z7barrierj(i32)

; CHECK-LABEL: define void @reaches(
; CHECK-SAME: ptr addrspace(1) %p, ptr %group
define void @reaches(ptr addrspace(1) noalias %p, ptr %group, i64 %x, i64 %y, i64 %z) #0 {
  call void @first(ptr %group, i64 %x, i64 %y, i64 %z)
  ret void
}
define internal void @first(ptr %group, i64 %x, i64 %y, i64 %z) #0 {
  call void @first(ptr %group, i64 %x, i64 %y, i64 %z)
  call void @second(ptr %group, i64 %x, i64 %y, i64 %z)
  ret void
}
define internal void @second(ptr %group, i64 %x, i64 %y, i64 %z) #0 {
  call void @_Z7barrierj(i32 1)
  ret void
}

; Functions that it does not call are not.
; CHECK-LABEL: define void @apart(
; CHECK-SAME: ptr addrspace(1) noalias %p, ptr %group
define void @apart(ptr addrspace(1) noalias %p, ptr %group, i64 %x, i64 %y, i64 %z) #0 {
  call void @third()
  ret void
}
define internal void @third() {
  ret void
}
attributes #0 = { "heddle-work-item-state" }
