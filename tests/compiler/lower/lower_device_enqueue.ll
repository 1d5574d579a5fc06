; RUN: split-file %s %t
; RUN: %heddle_opt --passes=number-block-kernels %t/address.ll | FileCheck %s --check-prefix=NUMBER
; RUN: %heddle_opt --passes=lower-device-enqueue %t/calls.ll | FileCheck %s

; The block's kernel is the second one of the program: its index plus one.
; NUMBER-LABEL: define spir_func void @caller(
; NUMBER: call i32 @__enqueue_kernel_basic(ptr null, i32 0, ptr null, ptr addrspace(4) inttoptr (i64 2 to ptr addrspace(4)), ptr addrspace(4) null)
; NUMBER: call i32 @__get_kernel_work_group_size_impl(ptr addrspace(4) inttoptr (i64 2 to ptr addrspace(4)), ptr addrspace(4) null)
;--- address.ll
declare i32 @__enqueue_kernel_basic(ptr, i32, ptr, ptr addrspace(4), ptr addrspace(4))
declare i32 @__get_kernel_work_group_size_impl(ptr addrspace(4), ptr addrspace(4))
define void @first() "heddle-kernel"="first" {
  ret void
}
define void @second() "heddle-kernel"="second" "heddle-block-kernel"="1" {
  ret void
}
define spir_func void @caller() {
  %e = call i32 @__enqueue_kernel_basic(ptr null, i32 0, ptr null, ptr addrspace(4) addrspacecast (ptr @second to ptr addrspace(4)), ptr addrspace(4) null)
  %s = call i32 @__get_kernel_work_group_size_impl(ptr addrspace(4) addrspacecast (ptr @second to ptr addrspace(4)), ptr addrspace(4) null)
  ret void
}

; The four forms of enqueue_kernel are one entry of the worker's table: no events, no local arguments.
; CHECK-LABEL: define i32 @basic(
; CHECK: [[WORKER:%.*]] = load ptr, ptr
; CHECK: [[FLAGS:%.*]] = and i32 %flags, 255
; CHECK: [[TABLE_AT:%.*]] = getelementptr inbounds i8, ptr [[WORKER]], i64 152
; CHECK: [[TABLE:%.*]] = load ptr, ptr [[TABLE_AT]]
; CHECK: [[ENTRY:%.*]] = load ptr, ptr [[TABLE]]
; CHECK: [[STATUS:%.*]] = call i32 [[ENTRY]](ptr [[WORKER]], ptr %queue, i32 %{{.*}}, ptr %range, i32 0, ptr null, ptr null, i64 7, ptr %{{.*}}, i32 0, ptr null)
; CHECK: ret i32 [[STATUS]]
; CHECK-LABEL: define i32 @all(
; CHECK: call i32 %{{.*}}(ptr %{{.*}}, ptr %queue, i32 %{{.*}}, ptr %range, i32 2, ptr %{{.*}}, ptr %{{.*}}, i64 7, ptr %{{.*}}, i32 3, ptr %sizes)
; A query, by its number.
; CHECK-LABEL: define i32 @query(
; CHECK: [[QUERY_AT:%.*]] = getelementptr inbounds i8, ptr %{{.*}}, i64 16
; CHECK: [[QUERY:%.*]] = load ptr, ptr [[QUERY_AT]]
; CHECK: call i32 [[QUERY]](ptr %{{.*}}, i32 2, ptr %range, i64 7)
; CHECK-LABEL: define i1 @valid(
; CHECK: [[VALID:%.*]] = call i32 %{{.*}}(ptr %{{.*}}, ptr %event)
; CHECK: icmp ne i32 [[VALID]], 0
; CHECK-NOT: declare
;--- calls.ll
declare i32 @__enqueue_kernel_basic(ptr, i32, ptr, ptr addrspace(4), ptr addrspace(4))
declare i32 @__enqueue_kernel_events_varargs(ptr, i32, ptr, i32, ptr addrspace(4), ptr addrspace(4), ptr addrspace(4), ptr addrspace(4), i32, ptr)
declare i32 @__get_kernel_sub_group_count_for_ndrange_impl(ptr, ptr addrspace(4), ptr addrspace(4))
declare i1 @_Z14is_valid_event12ocl_clkevent(ptr)
define i32 @basic(ptr %queue, i32 %flags, ptr %range, ptr addrspace(4) %literal, ptr %group, i64 %x, i64 %y, i64 %z) "heddle-work-item-state" {
  %r = call i32 @__enqueue_kernel_basic(ptr %queue, i32 %flags, ptr %range, ptr addrspace(4) inttoptr (i64 8 to ptr addrspace(4)), ptr addrspace(4) %literal)
  ret i32 %r
}
define i32 @all(ptr %queue, i32 %flags, ptr %range, ptr addrspace(4) %literal, ptr addrspace(4) %waits, ptr addrspace(4) %event, ptr %sizes, ptr %group, i64 %x, i64 %y, i64 %z) "heddle-work-item-state" {
  %r = call i32 @__enqueue_kernel_events_varargs(ptr %queue, i32 %flags, ptr %range, i32 2, ptr addrspace(4) %waits, ptr addrspace(4) %event, ptr addrspace(4) inttoptr (i64 8 to ptr addrspace(4)), ptr addrspace(4) %literal, i32 3, ptr %sizes)
  ret i32 %r
}
define i32 @query(ptr %range, ptr addrspace(4) %literal, ptr %group, i64 %x, i64 %y, i64 %z) "heddle-work-item-state" {
  %r = call i32 @__get_kernel_sub_group_count_for_ndrange_impl(ptr %range, ptr addrspace(4) inttoptr (i64 8 to ptr addrspace(4)), ptr addrspace(4) %literal)
  ret i32 %r
}
define i1 @valid(ptr %event, ptr %group, i64 %x, i64 %y, i64 %z) "heddle-work-item-state" {
  %r = call i1 @_Z14is_valid_event12ocl_clkevent(ptr %event)
  ret i1 %r
}
