; RUN: %heddle_opt --passes='function(print<leader-blocks>)' %s 2>&1 >/dev/null | FileCheck %s --match-full-lines
; Only the group's first work-item executes what the branch on __heddle_sub_group_is_leader() dominates.
declare i1 @__heddle_sub_group_is_leader()
declare void @__heddle_call_once_copy_bytes(ptr addrspace(4), ptr addrspace(4), i64)

; Also two blocks after the branch.
; CHECK: Leader blocks of nested: leader copy
define void @nested(ptr addrspace(4) %to, ptr addrspace(4) %from, i1 %c, i64 %n, ptr %group, i64 %x, i64 %y, i64 %z) #0 {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %next ]
  %leads = call i1 @__heddle_sub_group_is_leader()
  br i1 %leads, label %leader, label %next
leader:
  br i1 %c, label %copy, label %next
copy:
  call void @__heddle_call_once_copy_bytes(ptr addrspace(4) %to, ptr addrspace(4) %from, i64 64)
  br label %next
next:
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; The false edge leads to the others,
; CHECK: Leader blocks of false_edge:
define void @false_edge(ptr addrspace(4) %to, ptr addrspace(4) %from, i1 %c, i64 %n, ptr %group, i64 %x, i64 %y, i64 %z) #0 {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %next ]
  %leads = call i1 @__heddle_sub_group_is_leader()
  br i1 %leads, label %next, label %copy
copy:
  call void @__heddle_call_once_copy_bytes(ptr addrspace(4) %to, ptr addrspace(4) %from, i64 64)
  br label %next
next:
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; and so does a block that has another predecessor.
; CHECK: Leader blocks of not_dominated:
define void @not_dominated(ptr addrspace(4) %to, ptr addrspace(4) %from, i1 %c, i64 %n, ptr %group, i64 %x, i64 %y, i64 %z) #0 {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %next ]
  %leads = call i1 @__heddle_sub_group_is_leader()
  br i1 %leads, label %copy, label %other
other:
  br i1 %c, label %copy, label %next
copy:
  call void @__heddle_call_once_copy_bytes(ptr addrspace(4) %to, ptr addrspace(4) %from, i64 64)
  br label %next
next:
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
attributes #0 = { "heddle-kernel"="k" "heddle-work-item-state" }
