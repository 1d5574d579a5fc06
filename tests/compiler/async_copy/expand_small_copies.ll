; RUN: %heddle_opt --passes=expand-small-copies %s | FileCheck %s
; Copies of less than two cache lines become memcpy.
declare void @__heddle_call_once_copy_bytes(ptr addrspace(4), ptr addrspace(4), i64)

; CHECK-LABEL: define void @small(
; CHECK-NEXT: call void @llvm.memcpy.p4.p4.i64(ptr addrspace(4) align 1 %to, ptr addrspace(4) align 1 %from, i64 4, i1 false)
; CHECK-NEXT: call void @llvm.memcpy.p4.p4.i64(ptr addrspace(4) align 1 %to, ptr addrspace(4) align 1 %from, i64 127, i1 false)
; CHECK-NEXT: ret void
define void @small(ptr addrspace(4) %to, ptr addrspace(4) %from) {
  call void @__heddle_call_once_copy_bytes(ptr addrspace(4) %to, ptr addrspace(4) %from, i64 4)
  call void @__heddle_call_once_copy_bytes(ptr addrspace(4) %to, ptr addrspace(4) %from, i64 127)
  ret void
}

; Larger ones, and those whose size is not constant, stay calls.
; CHECK-LABEL: define void @others(
; CHECK-NOT: @llvm.memcpy
; CHECK: call void @__heddle_call_once_copy_bytes(ptr addrspace(4) %to, ptr addrspace(4) %from, i64 128)
; CHECK-NEXT: call void @__heddle_call_once_copy_bytes(ptr addrspace(4) %to, ptr addrspace(4) %from, i64 %bytes)
; CHECK-NEXT: ret void
define void @others(ptr addrspace(4) %to, ptr addrspace(4) %from, i64 %bytes) {
  call void @__heddle_call_once_copy_bytes(ptr addrspace(4) %to, ptr addrspace(4) %from, i64 128)
  call void @__heddle_call_once_copy_bytes(ptr addrspace(4) %to, ptr addrspace(4) %from, i64 %bytes)
  ret void
}
