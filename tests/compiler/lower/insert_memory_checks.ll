; RUN: split-file %s %t
; RUN: %heddle_opt --passes=insert-memory-checks %t/insert.ll | FileCheck %s
; RUN: %heddle_opt --passes=lower-memory-checks %t/lower.ll | FileCheck %s --check-prefix=LOWER

; The group's first work-item checks an async copy, before it is made. The operands are the kind of call, where it is,
; its arguments but for the event, and the size of an element.
; CHECK: @heddle.place = {{.*}} c":0\00\00\00"
; CHECK-LABEL: define void @copy(
; CHECK-NEXT: [[ID:%.*]] = call i64 @_Z19get_local_linear_idv()
; CHECK-NEXT: [[FIRST:%.*]] = icmp eq i64 [[ID]], 0
; CHECK-NEXT: br i1 [[FIRST]], label %[[CHECK:.*]], label %[[COPY:[0-9]+]]
; CHECK: [[CHECK]]:
; CHECK-NEXT: call void (i32, ptr, ...) @__heddle_check(i32 0, ptr @heddle.place, ptr addrspace(3) %to, ptr addrspace(1) %from, i64 64, i64 16)
; CHECK-NEXT: br label %[[COPY]]
; CHECK: [[COPY]]:
; CHECK-NEXT: call target("spirv.Event") @_Z21async_work_group_copyPU3AS3Dv4_fPU3AS1KS_m9ocl_event(
; CHECK-NEXT: ret void
; A strided copy to global memory is a scatter.
; CHECK-LABEL: define void @scatter(
; CHECK: call void (i32, ptr, ...) @__heddle_check(i32 2, ptr @{{.*}}, ptr addrspace(1) %to, ptr addrspace(3) %from, i64 64, i64 3, i64 4)
; Each work-item checks its own packet,
; CHECK-LABEL: define void @packet(
; CHECK-NEXT: call void (i32, ptr, ...) @__heddle_check(i32 5,
; CHECK-NEXT: call i32 @__read_pipe_2(
; and a reservation after it is made.
; CHECK-LABEL: define void @reserve(
; CHECK-NEXT: [[ID:%.*]] = call ptr @__reserve_read_pipe(ptr %pipe, i32 1, i32 4, i32 4)
; CHECK-NEXT: call void (i32, ptr, ...) @__heddle_check(i32 9, ptr @{{.*}}, ptr %pipe, i32 1, i32 4, i32 4, ptr [[ID]])
; Other functions, and functions that the program defines, are not checked.
; CHECK-LABEL: define void @others(
; CHECK-NEXT: call void @async_work_group_other(
; CHECK-NEXT: call i32 @__write_pipe_2(
; CHECK-NEXT: ret void
;--- insert.ll
declare target("spirv.Event") @_Z21async_work_group_copyPU3AS3Dv4_fPU3AS1KS_m9ocl_event(ptr addrspace(3), ptr addrspace(1), i64, target("spirv.Event"))
declare target("spirv.Event") @_Z29async_work_group_strided_copyPU3AS1fPU3AS3Kfmm9ocl_event(ptr addrspace(1), ptr addrspace(3), i64, i64, target("spirv.Event"))
declare i32 @__read_pipe_2(ptr, ptr, i32, i32)
declare ptr @__reserve_read_pipe(ptr, i32, i32, i32)
declare void @async_work_group_other(ptr addrspace(3))
define void @copy(ptr addrspace(3) %to, ptr addrspace(1) %from) {
  %e = call target("spirv.Event") @_Z21async_work_group_copyPU3AS3Dv4_fPU3AS1KS_m9ocl_event(ptr addrspace(3) %to, ptr addrspace(1) %from, i64 64, target("spirv.Event") zeroinitializer)
  ret void
}
define void @scatter(ptr addrspace(1) %to, ptr addrspace(3) %from) {
  %e = call target("spirv.Event") @_Z29async_work_group_strided_copyPU3AS1fPU3AS3Kfmm9ocl_event(ptr addrspace(1) %to, ptr addrspace(3) %from, i64 64, i64 3, target("spirv.Event") zeroinitializer)
  ret void
}
define void @packet(ptr %pipe, ptr %to) {
  %result = call i32 @__read_pipe_2(ptr %pipe, ptr %to, i32 4, i32 4)
  ret void
}
define void @reserve(ptr %pipe) {
  %id = call ptr @__reserve_read_pipe(ptr %pipe, i32 1, i32 4, i32 4)
  ret void
}
define void @others(ptr addrspace(3) %to, ptr %pipe) {
  call void @async_work_group_other(ptr addrspace(3) %to)
  %result = call i32 @__write_pipe_2(ptr %pipe, ptr %pipe, i32 4, i32 4)
  ret void
}
define i32 @__write_pipe_2(ptr %pipe, ptr %from, i32 %size, i32 %align) {
  ret i32 0
}

; A check passes a record (compiler/interface/check_record.h) to the worker. A pointer that is based on the kernel's second
; argument has base 2.
; LOWER-LABEL: define void @kernel.body(
; LOWER-NEXT: %check = alloca [8 x i64]
; LOWER: store ptr @place, ptr %check
; LOWER: [[CALL:%.*]] = getelementptr inbounds i8, ptr %check, i64 8
; LOWER: store i32 0, ptr [[CALL]]
; LOWER: [[COUNT:%.*]] = getelementptr inbounds i8, ptr %check, i64 12
; LOWER: store i32 3, ptr [[COUNT]]
; LOWER: [[ADDRESS:%.*]] = ptrtoint ptr addrspace(1) %at to i64
; LOWER: [[VALUE:%.*]] = getelementptr inbounds i8, ptr %check, i64 16
; LOWER: store i64 [[ADDRESS]], ptr [[VALUE]]
; LOWER: [[BASE:%.*]] = getelementptr inbounds i8, ptr %check, i64 24
; LOWER: store i64 2, ptr [[BASE]]
; LOWER: [[WIDE:%.*]] = zext i32 %n to i64
; LOWER: store i64 [[WIDE]],
; LOWER: store i64 0,
; LOWER: store i64 0,
; LOWER: getelementptr inbounds i8, ptr %{{.*}}, i64 128
; LOWER: call void %{{.*}}(ptr %{{.*}}, ptr %check)
; LOWER: ret void
; Arguments of other functions are not the kernel's.
; LOWER-LABEL: define void @helper(
; LOWER: ptrtoint ptr addrspace(1) %p to i64
; LOWER: [[BASE:%.*]] = getelementptr inbounds i8, ptr %check, i64 24
; LOWER: store i64 0, ptr [[BASE]]
; LOWER-NOT: @__heddle_check
;--- lower.ll
@place = constant [2 x i8] c"a\00"
declare void @__heddle_check(i32, ptr, ...)
define void @kernel.body(i32 %n, ptr addrspace(1) %p, ptr %group, i64 %x, i64 %y, i64 %z) #0 {
  %at = getelementptr i8, ptr addrspace(1) %p, i64 4
  call void (i32, ptr, ...) @__heddle_check(i32 0, ptr @place, ptr addrspace(1) %at, i32 %n, ptr addrspace(3) null)
  ret void
}
define void @helper(ptr addrspace(1) %p, ptr %group, i64 %x, i64 %y, i64 %z) #1 {
  call void (i32, ptr, ...) @__heddle_check(i32 0, ptr @place, ptr addrspace(1) %p)
  ret void
}
attributes #0 = { "heddle-kernel"="kernel" "heddle-work-item-state" }
attributes #1 = { "heddle-work-item-state" }
