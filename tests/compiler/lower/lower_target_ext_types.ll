; RUN: %heddle_opt --passes=lower-target-ext-types %s | FileCheck %s --implicit-check-not='target('
; SPIR-V's types of events, pipes and reservations become pointers wherever they stand; arguments keep their
; names.
declare target("spirv.Event") @start(ptr addrspace(3), target("spirv.Event"))
declare void @wait(i32, ptr)

; CHECK-LABEL: define void @unrelated(i32 %a)
; CHECK-NEXT: ret void
define void @unrelated(i32 %a) {
  ret void
}

; CHECK: declare ptr @start(ptr addrspace(3), ptr)
; CHECK-LABEL: define spir_kernel void @copies(
; CHECK-SAME: ptr addrspace(3) %to, ptr %pipe)
; CHECK: %events = alloca [2 x ptr], align 8
; CHECK: [[EVENT:%.*]] = call ptr @start(ptr addrspace(3) %to, ptr null)
; CHECK: store ptr [[EVENT]], ptr %events, align 8
; CHECK: call void @wait(i32 1, ptr %events)
define spir_kernel void @copies(ptr addrspace(3) %to, target("spirv.Pipe", 0) %pipe) {
  %events = alloca [2 x target("spirv.Event")], align 8
  %event = call target("spirv.Event") @start(ptr addrspace(3) %to, target("spirv.Event") zeroinitializer)
  store target("spirv.Event") %event, ptr %events, align 8
  call void @wait(i32 1, ptr %events)
  ret void
}

; Calls between such functions stay calls of them.
; CHECK-LABEL: define internal ptr @passes(
; CHECK-SAME: ptr %event)
; CHECK: ret ptr %event
define internal target("spirv.Event") @passes(target("spirv.Event") %event) {
  ret target("spirv.Event") %event
}
; CHECK-LABEL: define ptr @calls(
; CHECK-SAME: ptr %event)
; CHECK: %result = call ptr @passes(ptr %event)
; CHECK: ret ptr %result
define target("spirv.Event") @calls(target("spirv.Event") %event) {
  %result = call target("spirv.Event") @passes(target("spirv.Event") %event)
  ret target("spirv.Event") %result
}
