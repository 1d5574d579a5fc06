; RUN: %heddle_opt --passes=mark-polling-loops %s | FileCheck %s
; A sub-group that waits may reach a work-group function later than those behind it. (What it reads afterwards others may
; have written: api/ForwardProgress.ReadsAgainWhatOthersWrote.)
declare i32 @__heddle_group_turn(ptr addrspace(3), i1)

; CHECK-LABEL: define void @waits.body(
; CHECK: call void @heddle.yield()
; CHECK: call void @heddle.barrier()
; CHECK-NEXT: call i32 @__heddle_group_turn(
define void @waits.body(ptr addrspace(1) noalias %flag, ptr addrspace(1) noalias %data, ptr noalias %group, i64 %x, i64 %y, i64 %z) #0 {
  br label %loop
loop:
  %value = load atomic i32, ptr addrspace(1) %flag acquire, align 4
  %again = icmp eq i32 %value, 0
  br i1 %again, label %loop, label %done
done:
  %turn = call i32 @__heddle_group_turn(ptr addrspace(3) null, i1 true)
  store i32 %turn, ptr addrspace(1) %data
  ret void
}

; CHECK-LABEL: define void @runs.body(
; CHECK-NOT: heddle.barrier
; CHECK: ret void
define void @runs.body(ptr addrspace(1) noalias %data, ptr noalias %group, i64 %x, i64 %y, i64 %z) #1 {
  %turn = call i32 @__heddle_group_turn(ptr addrspace(3) null, i1 true)
  store i32 %turn, ptr addrspace(1) %data
  ret void
}

; CHECK: attributes #[[YIELD:[0-9]+]] = { nounwind willreturn }
attributes #0 = { "heddle-kernel"="waits" "heddle-work-item-state" }
attributes #1 = { "heddle-kernel"="runs" "heddle-work-item-state" }
