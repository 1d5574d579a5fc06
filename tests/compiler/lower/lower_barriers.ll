; RUN: split-file %s %t
; RUN: %heddle_opt --passes=mark-barriers %t/mark.ll | FileCheck %s --check-prefix=MARK
; RUN: %heddle_opt --passes=lower-barriers %t/lower.ll | FileCheck %s
; RUN: %heddle_opt --passes=mark-barriers %t/none.ll | FileCheck %s --check-prefix=NONE

; All functions that are barriers become one, which must not be duplicated. A restrict pointer is restrict for one
; work-item, which reads after a barrier what others wrote.
; MARK-LABEL: define void @kernel.body(
; MARK-SAME: ptr addrspace(1) %out, ptr %group,
; MARK-NEXT: call void @heddle.barrier()
; MARK-NEXT: call void @heddle.barrier()
; MARK-NEXT: call void @heddle.barrier()
; MARK-NEXT: call void @helper(
; MARK-NEXT: ret void
; MARK-LABEL: define void @helper(
; MARK-SAME: ptr addrspace(1) %p, ptr noalias %group,
; MARK-LABEL: define void @without_barrier(
; MARK-SAME: ptr addrspace(1) noalias %p,
; MARK-NOT: barrier
; MARK: declare void @heddle.barrier() #[[BARRIER:[0-9]+]]
; MARK: attributes #[[BARRIER]] = { convergent noduplicate nounwind }
;--- mark.ll
declare void @_Z7barrierj(i32)
declare void @_Z18work_group_barrierj(i32)
declare void @_Z18work_group_barrierj12memory_scope(i32, i32)
define void @kernel.body(ptr addrspace(1) %out, ptr %group, i64 %x, i64 %y, i64 %z) #0 {
  call void @_Z7barrierj(i32 1)
  call void @_Z18work_group_barrierj(i32 2)
  call void @_Z18work_group_barrierj12memory_scope(i32 2, i32 1)
  call void @helper(ptr addrspace(1) %out, ptr %group, i64 %x, i64 %y, i64 %z)
  ret void
}
define void @helper(ptr addrspace(1) noalias %p, ptr noalias %group, i64 %x, i64 %y, i64 %z) #1 {
  call void @_Z7barrierj(i32 1)
  ret void
}
define void @without_barrier(ptr addrspace(1) noalias %p, ptr noalias %group, i64 %x, i64 %y, i64 %z) #1 {
  ret void
}
attributes #0 = { "heddle-kernel"="kernel" "heddle-work-item-state" }
attributes #1 = { "heddle-work-item-state" }

; Without barriers nothing changes.
; NONE-LABEL: define void @kernel.body(
; NONE-SAME: ptr addrspace(1) noalias %out,
; NONE-NEXT: call void @barrier(i32 1)
; NONE-NEXT: ret void
; NONE-NOT: @heddle.barrier
;--- none.ll
declare void @barrier(i32)
define void @kernel.body(ptr addrspace(1) noalias %out, ptr %group, i64 %x, i64 %y, i64 %z) #0 {
  call void @barrier(i32 1)
  ret void
}
attributes #0 = { "heddle-kernel"="kernel" "heddle-work-item-state" }

; A barrier calls the worker, which runs the other fibers, and then says again which work-item runs.
; CHECK-LABEL: define void @on_fibers(
; CHECK-DAG: [[WORKER_AT:%.*]] = getelementptr inbounds i8, ptr %group, i64 8
; CHECK-DAG: [[WORKER:%.*]] = load ptr, ptr [[WORKER_AT]], align 8
; CHECK-DAG: [[BARRIER_AT:%.*]] = getelementptr inbounds i8, ptr [[WORKER]], i64 8
; CHECK-DAG: [[BARRIER:%.*]] = load ptr, ptr [[BARRIER_AT]], align 8
; CHECK: call void [[BARRIER]](ptr [[WORKER]])
; CHECK: [[PLANE:%.*]] = mul i64 %z,
; CHECK-NEXT: [[LINE:%.*]] = add i64 [[PLANE]], %y
; CHECK: [[ROW:%.*]] = mul i64 [[LINE]],
; CHECK-NEXT: [[INDEX:%.*]] = add i64 [[ROW]], %x
; CHECK-NEXT: [[ITEM:%.*]] = getelementptr inbounds i8, ptr [[WORKER]], i64 56
; CHECK-NEXT: store volatile i64 [[INDEX]], ptr [[ITEM]]
; CHECK-NEXT: ret void
; CHECK-NOT: @heddle.barrier
;--- lower.ll
declare void @heddle.barrier()
define void @on_fibers(ptr %group, i64 %x, i64 %y, i64 %z) "heddle-work-item-state" {
  call void @heddle.barrier()
  ret void
}
