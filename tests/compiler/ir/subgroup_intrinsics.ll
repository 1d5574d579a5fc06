; RUN: split-file %s %t
; RUN: %heddle_opt --passes=annotate-subgroup-intrinsics %t/annotate.ll | FileCheck %s --check-prefix=MARK
; RUN: %heddle_opt --passes=lower-subgroup-intrinsics %t/lower.ll | FileCheck %s

; Results of operations between lanes depend on which lanes are active: they are convergent. What depends on the
; work-item only is not. None of them accesses memory, but for a barrier, before and after which memory differs.
; MARK-LABEL: define void @calls(
; MARK-NEXT: call i32 @__heddle_sub_group_local_id(){{$}}
; MARK-NEXT: call float @__heddle_sub_group_reduce_add_f(float 1.000000e+00) #[[CONVERGENT:[0-9]+]]
; MARK: declare i32 @__heddle_sub_group_local_id() #[[PLAIN:[0-9]+]]
; MARK: declare float @__heddle_sub_group_reduce_add_f(float) #[[BETWEEN:[0-9]+]]
; MARK: declare i1 @__heddle_sub_group_is_leader() #[[PLAIN]]
; MARK: declare void @__heddle_sub_group_barrier() #[[BARRIER:[0-9]+]]
; MARK: declare void @__heddle_sub_group_unknown(){{$}}
; MARK: declare void @__heddle_sub_group_reduce_unknown_f(){{$}}
; MARK-DAG: attributes #[[PLAIN]] = { nounwind willreturn memory(none) }
; MARK-DAG: attributes #[[BETWEEN]] = { convergent nounwind willreturn memory(none) }
; MARK-DAG: attributes #[[BARRIER]] = { convergent noduplicate nounwind willreturn }
; MARK-DAG: attributes #[[CONVERGENT]] = { convergent }
;--- annotate.ll
define void @calls() {
  %id = call i32 @__heddle_sub_group_local_id() convergent
  %sum = call float @__heddle_sub_group_reduce_add_f(float 1.0) convergent
  ret void
}
declare i32 @__heddle_sub_group_local_id() convergent
declare float @__heddle_sub_group_reduce_add_f(float)
declare i1 @__heddle_sub_group_is_leader() convergent
declare void @__heddle_sub_group_barrier()
declare void @__heddle_sub_group_unknown()
declare void @__heddle_sub_group_reduce_unknown_f()

; In a kernel that stays scalar a sub-group has one work-item.
; CHECK-LABEL: define void @one_lane(
; CHECK-NEXT: store i32 0, ptr %out
; CHECK-NEXT: store i32 1, ptr %out
; CHECK-NEXT: [[BALLOT:%.*]] = zext i1 %c to i64
; CHECK-NEXT: store i64 [[BALLOT]], ptr %out
; CHECK-NEXT: store i32 %v, ptr %out
; CHECK-NEXT: store i32 %v, ptr %out
; CHECK-NEXT: store i32 -2147483648, ptr %out
; CHECK-NEXT: store i32 0, ptr %out
; CHECK-NEXT: store float 0.000000e+00, ptr %out
; CHECK-NEXT: store float 1.000000e+00, ptr %out
; CHECK-NEXT: fence acq_rel
; CHECK-NEXT: ret void
; The first work-item of the group leads.
; CHECK-LABEL: define i1 @leads(
; CHECK-NEXT: [[XY:%.*]] = or i64 %x, %y
; CHECK-NEXT: [[XYZ:%.*]] = or i64 [[XY]], %z
; CHECK-NEXT: [[LEADS:%.*]] = icmp eq i64 [[XYZ]], 0
; CHECK-NEXT: ret i1 [[LEADS]]
; Functions with other names, or a body, stay.
; CHECK-LABEL: define i32 @others(
; CHECK-NEXT: call i32 @__heddle_sub_group_other()
; CHECK-NEXT: call i32 @__heddle_sub_group_all_rows(
;--- lower.ll
declare i32 @__heddle_sub_group_local_id()
declare i32 @__heddle_sub_group_max_size()
declare i64 @__heddle_sub_group_ballot(i1)
declare i32 @__heddle_sub_group_reduce_add_i(i32)
declare i32 @__heddle_sub_group_shuffle_i(i32, i32)
declare i32 @__heddle_sub_group_exclusive_scan_max_i(i32)
declare i32 @__heddle_sub_group_exclusive_scan_max_u(i32)
declare float @__heddle_sub_group_exclusive_scan_add_f(float)
declare float @__heddle_sub_group_exclusive_scan_mul_f(float)
declare void @__heddle_sub_group_barrier()
declare i1 @__heddle_sub_group_is_leader()
declare i32 @__heddle_sub_group_other()
define void @one_lane(ptr %out, i32 %v, i1 %c, float %f) {
  %a = call i32 @__heddle_sub_group_local_id()
  store i32 %a, ptr %out
  %b = call i32 @__heddle_sub_group_max_size()
  store i32 %b, ptr %out
  %ballot = call i64 @__heddle_sub_group_ballot(i1 %c)
  store i64 %ballot, ptr %out
  %d = call i32 @__heddle_sub_group_reduce_add_i(i32 %v)
  store i32 %d, ptr %out
  %e = call i32 @__heddle_sub_group_shuffle_i(i32 %v, i32 3)
  store i32 %e, ptr %out
  %g = call i32 @__heddle_sub_group_exclusive_scan_max_i(i32 %v)
  store i32 %g, ptr %out
  %h = call i32 @__heddle_sub_group_exclusive_scan_max_u(i32 %v)
  store i32 %h, ptr %out
  %i = call float @__heddle_sub_group_exclusive_scan_add_f(float %f)
  store float %i, ptr %out
  %j = call float @__heddle_sub_group_exclusive_scan_mul_f(float %f)
  store float %j, ptr %out
  call void @__heddle_sub_group_barrier()
  ret void
}
define i1 @leads(ptr %group, i64 %x, i64 %y, i64 %z) "heddle-work-item-state" {
  %leads = call i1 @__heddle_sub_group_is_leader()
  ret i1 %leads
}
define i32 @others() {
  %a = call i32 @__heddle_sub_group_other()
  %b = call i32 @__heddle_sub_group_all_rows(i32 %a)
  ret i32 %b
}
define i32 @__heddle_sub_group_all_rows(i32 %v) {
  ret i32 %v
}
