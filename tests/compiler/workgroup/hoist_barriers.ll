; RUN: %heddle_opt --passes=hoist-barriers %s | FileCheck %s
; Barriers are hoisted out of loops in which only the group's first work-item has effects.
declare void @heddle.barrier() #1
declare i1 @__heddle_sub_group_is_leader()
declare void @__heddle_call_once_copy_bytes(ptr addrspace(4), ptr addrspace(4), i64)

; CHECK-LABEL: define void @copies(
; CHECK-NEXT: entry:
; CHECK-NEXT: call void @heddle.barrier()
; CHECK-NOT: call void @heddle.barrier()
; CHECK: br i1 %more, {{.*}}, !llvm.loop [[ROLLED:![0-9]+]]
; CHECK: exit:
; CHECK-NEXT: call void @heddle.barrier()
; CHECK-NEXT: ret void
define void @copies(ptr addrspace(4) %to, ptr addrspace(4) %from, i64 %n, ptr %group, i64 %x, i64 %y, i64 %z) #0 {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %next ]
  %leads = call i1 @__heddle_sub_group_is_leader()
  br i1 %leads, label %copy, label %next
copy:
  call void @__heddle_call_once_copy_bytes(ptr addrspace(4) %to, ptr addrspace(4) %from, i64 64)
  br label %next
next:
  call void @heddle.barrier()
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; Not if all work-items write in the loop,
; CHECK-LABEL: define void @all_write(
; CHECK-NEXT: entry:
; CHECK-NEXT: br label %loop
; CHECK: call void @heddle.barrier()
; CHECK-NEXT: %i.next
; CHECK: exit:
; CHECK-NEXT: ret void
define void @all_write(ptr addrspace(4) %to, ptr addrspace(4) %from, ptr addrspace(1) %out, i64 %n, ptr %group, i64 %x, i64 %y, i64 %z) #0 {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %next ]
  %leads = call i1 @__heddle_sub_group_is_leader()
  br i1 %leads, label %copy, label %next
copy:
  call void @__heddle_call_once_copy_bytes(ptr addrspace(4) %to, ptr addrspace(4) %from, i64 64)
  br label %next
next:
  store i64 %i, ptr addrspace(1) %out
  call void @heddle.barrier()
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; if the number of iterations differs between work-items, or is read from memory in the loop,
; CHECK-LABEL: define void @divergent(
; CHECK-NEXT: entry:
; CHECK-NEXT: br label %loop
; CHECK: call void @heddle.barrier()
; CHECK-NEXT: %i.next
; CHECK: exit:
; CHECK-NEXT: ret void
define void @divergent(ptr addrspace(4) %to, ptr addrspace(4) %from, ptr %group, i64 %x, i64 %y, i64 %z) #0 {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %next ]
  %leads = call i1 @__heddle_sub_group_is_leader()
  br i1 %leads, label %copy, label %next
copy:
  call void @__heddle_call_once_copy_bytes(ptr addrspace(4) %to, ptr addrspace(4) %from, i64 64)
  br label %next
next:
  call void @heddle.barrier()
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, %x
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; CHECK-LABEL: define void @from_memory(
; CHECK-NEXT: entry:
; CHECK-NEXT: br label %loop
; CHECK: call void @heddle.barrier()
; CHECK-NEXT: %i.next
; CHECK: exit:
; CHECK-NEXT: ret void
define void @from_memory(ptr addrspace(4) %to, ptr addrspace(4) %from, ptr addrspace(3) %tile, ptr %group, i64 %x, i64 %y, i64 %z) #0 {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %next ]
  %leads = call i1 @__heddle_sub_group_is_leader()
  br i1 %leads, label %copy, label %next
copy:
  call void @__heddle_call_once_copy_bytes(ptr addrspace(4) %to, ptr addrspace(4) %from, i64 64)
  br label %next
next:
  call void @heddle.barrier()
  %i.next = add i64 %i, 1
  %n = load i64, ptr addrspace(3) %tile
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; or if there are atomics, which barriers order.
; CHECK-LABEL: define void @atomics(
; CHECK-NEXT: entry:
; CHECK-NEXT: br label %loop
; CHECK: call void @heddle.barrier()
; CHECK-NEXT: %i.next
; CHECK: exit:
; CHECK-NEXT: ret void
define void @atomics(ptr addrspace(4) %to, ptr addrspace(4) %from, ptr addrspace(1) %flag, i64 %n, ptr %group, i64 %x, i64 %y, i64 %z) #0 {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %next ]
  %leads = call i1 @__heddle_sub_group_is_leader()
  br i1 %leads, label %copy, label %next
copy:
  call void @__heddle_call_once_copy_bytes(ptr addrspace(4) %to, ptr addrspace(4) %from, i64 64)
  store atomic i64 %i, ptr addrspace(1) %flag release, align 8
  br label %next
next:
  call void @heddle.barrier()
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; CHECK: [[ROLLED]] = distinct !{[[ROLLED]], [[DISABLE:![0-9]+]]}
; CHECK: [[DISABLE]] = !{!"llvm.loop.unroll.disable", i32 1}
attributes #0 = { "heddle-work-item-state" }
attributes #1 = { convergent nomerge noduplicate }
