; RUN: %heddle_opt --passes=lower-elided-copies %s | FileCheck %s
; Copies that may be elided become copies behind an unlikely branch.
declare void @__heddle_call_once_copy_bytes(ptr addrspace(4), ptr addrspace(4), i64)
declare void @__heddle_call_once_copy_unless_elided(ptr addrspace(4), ptr addrspace(4), i64, i1, ptr addrspace(3), i64)

; CHECK-NOT: @__heddle_call_once_copy_unless_elided

; CHECK-LABEL: define void @in_registers(
; CHECK-NEXT: [[COPIES:%.*]] = xor i1 %is_elided, true
; CHECK-NEXT: br i1 [[COPIES]], label %[[COPY:.*]], label %[[DONE:.*]], !prof [[UNLIKELY:![0-9]+]]
; CHECK: [[COPY]]:
; CHECK-NEXT: call void @__heddle_call_once_copy_bytes(ptr addrspace(4) %to, ptr addrspace(4) %from, i64 1024)
; CHECK-NEXT: br label %[[DONE]]
; CHECK: [[DONE]]:
; CHECK-NEXT: ret void
define void @in_registers(ptr addrspace(4) %to, ptr addrspace(4) %from, i1 %is_elided) {
  call void @__heddle_call_once_copy_unless_elided(ptr addrspace(4) %to, ptr addrspace(4) %from, i64 1024, i1 %is_elided, ptr addrspace(3) null, i64 0)
  ret void
}

; The state is stored whether or not the copy is elided.
; CHECK-LABEL: define void @in_memory(
; CHECK-NEXT: store i64 %value, ptr addrspace(3) %state, align 8
; CHECK-NEXT: xor i1 %is_elided, true
; CHECK-NEXT: br i1
; CHECK: call void @__heddle_call_once_copy_bytes(
; CHECK: ret void
define void @in_memory(ptr addrspace(4) %to, ptr addrspace(4) %from, i1 %is_elided, ptr addrspace(3) %state, i64 %value) {
  call void @__heddle_call_once_copy_unless_elided(ptr addrspace(4) %to, ptr addrspace(4) %from, i64 1024, i1 %is_elided, ptr addrspace(3) %state, i64 %value)
  ret void
}

; Nothing is copied where only the state is initialized.
; CHECK-LABEL: define void @initial_state(
; CHECK-NEXT: store i64 %value, ptr addrspace(3) %state, align 8
; CHECK-NEXT: ret void
define void @initial_state(ptr addrspace(4) %to, ptr addrspace(3) %state, i64 %value) {
  call void @__heddle_call_once_copy_unless_elided(ptr addrspace(4) %to, ptr addrspace(4) %to, i64 0, i1 true, ptr addrspace(3) %state, i64 %value)
  ret void
}
; CHECK: [[UNLIKELY]] = !{!"branch_weights", i32 1, i32 {{[0-9]+}}}
