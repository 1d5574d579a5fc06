; RUN: %heddle_opt --passes=forward-stores-to-next-iteration %s | FileCheck %s
; What an iteration loads and the one before has stored is in a register.

; x[i] = x[i - 1] * a[i]
; CHECK-LABEL: define void @recurrence(
; CHECK: entry:
; CHECK: [[FIRST:%.*]] = load float, ptr addrspace(1) %x
; CHECK: loop:
; CHECK: [[BEFORE:%.*]] = phi float [ [[FIRST]], %entry ], [ %new, %loop ]
; CHECK: %new = fmul float [[BEFORE]], %factor
; CHECK: ret void
define void @recurrence(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %next = add nuw nsw i64 %i, 1
  %from = getelementptr inbounds float, ptr addrspace(1) %x, i64 %i
  %to = getelementptr inbounds float, ptr addrspace(1) %x, i64 %next
  %with = getelementptr inbounds float, ptr addrspace(1) %a, i64 %next
  %old = load float, ptr addrspace(1) %from
  %factor = load float, ptr addrspace(1) %with
  %new = fmul float %old, %factor
  store float %new, ptr addrspace(1) %to
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Where another store between the two may be to the same memory, a check at run time would choose between two
; loops, perhaps another one in each lane.
; CHECK-LABEL: define void @may_alias(
; CHECK: loop:
; CHECK-NEXT: phi i64
; CHECK: %old = load float, ptr addrspace(1) %from
; CHECK: ret void
define void @may_alias(ptr addrspace(1) %a, ptr addrspace(1) %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %next = add nuw nsw i64 %i, 1
  %from = getelementptr inbounds float, ptr addrspace(1) %x, i64 %i
  %to = getelementptr inbounds float, ptr addrspace(1) %x, i64 %next
  %other = getelementptr inbounds float, ptr addrspace(1) %a, i64 %next
  %old = load float, ptr addrspace(1) %from
  %new = fmul float %old, 3.0
  store float %new, ptr addrspace(1) %to
  store float %old, ptr addrspace(1) %other
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}
