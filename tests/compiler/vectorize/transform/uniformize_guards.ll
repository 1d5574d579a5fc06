; RUN: %heddle_opt --passes='kernel-body(choose-width,canonicalize,choose-variants,uniformize-guards)' --width=8 %s | FileCheck %s
; RUN: %heddle_opt --passes='kernel-body(choose-width,canonicalize,choose-variants,uniformize-guards)' --width=1 %s | FileCheck %s --check-prefix=SCALAR
; Lane 0 decides a bounds check for all lanes: all pass, all fail, or the sub-group starts again in the masked variant.
; SCALAR-NOT: restart
; CHECK-LABEL: define void @check.body(
; CHECK: [[FIRST:%.*]] = call i64 @__heddle_sub_group_first_i64(i64 %local_x)
; CHECK-NEXT: [[HAS_ROOM:%.*]] = icmp uge i64 %n, 7
; CHECK-NEXT: [[LIMIT:%.*]] = sub i64 %n, 7
; CHECK-NEXT: [[IS_BELOW:%.*]] = icmp ult i64 [[FIRST]], [[LIMIT]]
; CHECK-NEXT: [[IS_ABOVE:%.*]] = icmp uge i64 [[FIRST]], %n
; CHECK-NEXT: [[ALL_OUTSIDE:%.*]] = and i1 [[IS_ABOVE]], true
; CHECK-NEXT: [[INSIDE:%.*]] = and i1 [[HAS_ROOM]], [[IS_BELOW]]
; CHECK-NEXT: br i1 [[INSIDE]], label %body, label %not_all_inside
; CHECK: not_all_inside:
; CHECK-NEXT: br i1 [[ALL_OUTSIDE]], label %other, label %restart
; CHECK: restart:
; CHECK-NEXT: call void @__heddle_sub_group_restart()
; CHECK-NEXT: br label %other
define void @check.body(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %n, ptr noalias %group, i64 %local_x, i64 %local_y, i64 %local_z) #0 {
entry:
  %inside = icmp ult i64 %local_x, %n
  br i1 %inside, label %body, label %other
body:
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %local_x
  store float 1.0, ptr addrspace(1) %p
  br label %done
other:
  br label %done
done:
  ret void
}

; Each part of a conjunction.
; CHECK-LABEL: define void @two_bounds.body(
; CHECK: [[FIRST:%.*]] = call i64 @__heddle_sub_group_first_i64(i64 %local_x)
; CHECK-NEXT: [[ABOVE:%.*]] = icmp uge i64 [[FIRST]], 4
; CHECK-NEXT: [[ALL_ABOVE:%.*]] = and i1 [[ABOVE]], true
; CHECK: [[ALL_BELOW:%inside.*]] = and i1
; CHECK-NEXT: [[ALL:%.*]] = select i1 [[ALL_ABOVE]], i1 [[ALL_BELOW]], i1 false
; CHECK-NEXT: br i1 [[ALL]], label %body, label %not_all_inside
; CHECK: call void @__heddle_sub_group_restart()
define void @two_bounds.body(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %n, ptr noalias %group, i64 %local_x, i64 %local_y, i64 %local_z) #1 {
entry:
  %above = icmp uge i64 %local_x, 4
  %below = icmp ult i64 %local_x, %n
  %inside = and i1 %above, %below
  br i1 %inside, label %body, label %other
body:
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %local_x
  store float 1.0, ptr addrspace(1) %p
  br label %done
other:
  br label %done
done:
  ret void
}

; A condition that is uniform stays as it is.
; CHECK-LABEL: define void @uniform.body(
; CHECK-NOT: call void @__heddle_sub_group_restart()
; CHECK: ret void
define void @uniform.body(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %n, ptr noalias %group, i64 %local_x, i64 %local_y, i64 %local_z) #2 {
entry:
  %inside = icmp ult i64 %n, 100
  br i1 %inside, label %body, label %other
body:
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %local_x
  store float 1.0, ptr addrspace(1) %p
  br label %done
other:
  br label %done
done:
  ret void
}

; What has been stored cannot be stored again.
; CHECK-LABEL: define void @too_late.body(
; CHECK-NOT: call void @__heddle_sub_group_restart()
; CHECK: ret void
define void @too_late.body(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %n, ptr noalias %group, i64 %local_x, i64 %local_y, i64 %local_z) #3 {
entry:
  %first = getelementptr inbounds float, ptr addrspace(1) %b, i64 %local_x
  store float 2.0, ptr addrspace(1) %first
  %inside = icmp ult i64 %local_x, %n
  br i1 %inside, label %body, label %other
body:
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %local_x
  store float 1.0, ptr addrspace(1) %p
  br label %done
other:
  br label %done
done:
  ret void
}

; Both sides have effects, and many lanes may take either.
; CHECK-LABEL: define void @either.body(
; CHECK-NOT: call void @__heddle_sub_group_restart()
; CHECK: ret void
define void @either.body(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %n, ptr noalias %group, i64 %local_x, i64 %local_y, i64 %local_z) #4 {
entry:
  %inside = icmp ult i64 %local_x, %n
  br i1 %inside, label %body, label %other
body:
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %local_x
  store float 1.0, ptr addrspace(1) %p
  br label %done
other:
  %e = getelementptr inbounds float, ptr addrspace(1) %b, i64 %local_x
  store float 2.0, ptr addrspace(1) %e
  br label %done
done:
  ret void
}

; Lane 0 does not decide what each lane reads.
; CHECK-LABEL: define void @by_memory.body(
; CHECK-NOT: call void @__heddle_sub_group_restart()
; CHECK: ret void
define void @by_memory.body(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %n, ptr noalias %group, i64 %local_x, i64 %local_y, i64 %local_z) #5 {
entry:
  %m = getelementptr inbounds i64, ptr addrspace(1) %b, i64 %local_x
  %number = load i64, ptr addrspace(1) %m
  %inside = icmp ult i64 %number, %n
  br i1 %inside, label %body, label %other
body:
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %local_x
  store float 1.0, ptr addrspace(1) %p
  br label %done
other:
  br label %done
done:
  ret void
}

; A bounds check behind the work, as write_image has it, is decided before the work.
; CHECK-LABEL: define void @late.body(
; CHECK: entry:
; CHECK: [[WIDTH:%.*]] = load i64, ptr %n
; CHECK: [[INSIDE:%inside.*]] = and i1
; CHECK: [[ALL:%.*]] = freeze i1
; CHECK-NEXT: br i1 [[ALL]], label %entry.split, label %restart
; CHECK: entry.split:
; CHECK-NEXT: br label %loop
; CHECK: after:
; CHECK: br label %write
; CHECK: restart:
; CHECK-NEXT: call void @__heddle_sub_group_restart()
define void @late.body(ptr addrspace(1) %a, ptr dereferenceable(8) align 8 %n, ptr addrspace(1) %b, ptr noalias %group, i64 %local_x, i64 %local_y, i64 %local_z) #6 {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %place = add i64 %i, %local_x
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %place
  %v = load float, ptr addrspace(1) %p
  %more = fadd float %sum, %v
  %next = add i64 %i, 1
  %end = icmp eq i64 %next, 9
  br i1 %end, label %after, label %loop
after:
  %width = load i64, ptr %n, align 8, !invariant.load !1
  %inside = icmp ult i64 %local_x, %width
  br i1 %inside, label %write, label %done
write:
  %q = getelementptr inbounds float, ptr addrspace(1) %b, i64 %local_x
  store float %more, ptr addrspace(1) %q
  br label %done
done:
  ret void
}

; Not if the bound is a constant, which selects some work-items, and not if it may change before.
; CHECK-LABEL: define void @selected.body(
; CHECK-NOT: call void @__heddle_sub_group_restart()
define void @selected.body(ptr addrspace(1) %a, ptr dereferenceable(8) align 8 %n, ptr addrspace(1) %b, ptr noalias %group, i64 %local_x, i64 %local_y, i64 %local_z) #7 {
entry:
  store float 0.0, ptr addrspace(1) %a
  %few = icmp ult i64 %local_x, 100
  br i1 %few, label %write, label %next
write:
  %q = getelementptr inbounds float, ptr addrspace(1) %b, i64 %local_x
  store float 1.0, ptr addrspace(1) %q
  br label %next
next:
  %width = load i64, ptr %n, align 8
  %inside = icmp ult i64 %local_x, %width
  br i1 %inside, label %write2, label %done
write2:
  %q2 = getelementptr inbounds float, ptr addrspace(1) %a, i64 %local_x
  store float 1.0, ptr addrspace(1) %q2
  br label %done
done:
  ret void
}

; A range of ids, outside of which another index is used: inside, the index is the id, and lanes are consecutive.
; CHECK-LABEL: define void @range.body(
; CHECK: br i1 %{{.*}}, label %after, label %not_all_inside
; CHECK-NOT: call i32 @llvm.smax
; CHECK: after:
; CHECK-NEXT: %place = sext i32 %x to i64
; CHECK-NOT: call i32 @llvm.smax
; CHECK: call void @__heddle_sub_group_restart()
define void @range.body(ptr addrspace(1) %a, i32 %first, i32 %n, ptr noalias %group, i64 %local_x, i64 %local_y, i64 %local_z) #8 {
entry:
  %id = trunc i64 %local_x to i32
  %x = sub nsw i32 %id, %first
  %above = icmp sge i32 %x, %n
  %below = icmp slt i32 %x, 0
  %outside = or i1 %above, %below
  br i1 %outside, label %clamp, label %after
clamp:
  %least = call i32 @llvm.smax.i32(i32 %x, i32 0)
  br label %after
after:
  %index = phi i32 [ %x, %entry ], [ %least, %clamp ]
  %place = sext i32 %index to i64
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %place
  store float 1.0, ptr addrspace(1) %p
  br label %done
done:
  ret void
}

; One end of a range may be passed by many work-items; and behind a side that is executed by some sub-groups and not by
; others, none may start again.
; CHECK-LABEL: define void @one_end.body(
; CHECK-NOT: call void @__heddle_sub_group_restart()
; CHECK: ret void
define void @one_end.body(ptr addrspace(1) %a, i32 %first, i32 %n, ptr noalias %group, i64 %local_x, i64 %local_y, i64 %local_z) #9 {
entry:
  %id = trunc i64 %local_x to i32
  %x = sub nsw i32 %id, %first
  %outside = icmp slt i32 %x, 5
  br i1 %outside, label %clamp, label %after
clamp:
  br label %after
after:
  %index = phi i32 [ %x, %entry ], [ 5, %clamp ]
  %place = sext i32 %index to i64
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %place
  store float 1.0, ptr addrspace(1) %p
  br label %done
done:
  ret void
}

; CHECK-LABEL: define void @behind_uniform.body(
; CHECK-NOT: call void @__heddle_sub_group_restart()
; CHECK: ret void
define void @behind_uniform.body(ptr addrspace(1) %a, i64 %first, i64 %n, ptr noalias %group, i64 %local_x, i64 %local_y, i64 %local_z) #10 {
entry:
  %is_first = icmp eq i64 %first, 0
  br i1 %is_first, label %store, label %after
store:
  %q = getelementptr inbounds float, ptr addrspace(1) %a, i64 %local_x
  %old = load float, ptr addrspace(1) %q
  %sum = fadd float %old, 1.0
  store float %sum, ptr addrspace(1) %q
  br label %after
after:
  %border = icmp eq i64 %local_x, %n
  br i1 %border, label %rare, label %usual
rare:
  %r = getelementptr inbounds float, ptr addrspace(1) %a, i64 %n
  store float 2.0, ptr addrspace(1) %r
  br label %done
usual:
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %local_x
  %v = load float, ptr addrspace(1) %p
  %w = fmul float %v, 3.0
  store float %w, ptr addrspace(1) %p
  br label %done
done:
  ret void
}

declare i32 @llvm.smax.i32(i32, i32)

attributes #0 = { "heddle-kernel"="check" "heddle-work-item-state" }
attributes #1 = { "heddle-kernel"="two_bounds" "heddle-work-item-state" }
attributes #2 = { "heddle-kernel"="uniform" "heddle-work-item-state" }
attributes #3 = { "heddle-kernel"="too_late" "heddle-work-item-state" }
attributes #4 = { "heddle-kernel"="either" "heddle-work-item-state" }
attributes #5 = { "heddle-kernel"="by_memory" "heddle-work-item-state" }
attributes #6 = { "heddle-kernel"="late" "heddle-work-item-state" }
attributes #7 = { "heddle-kernel"="selected" "heddle-work-item-state" }
attributes #8 = { "heddle-kernel"="range" "heddle-work-item-state" }
attributes #9 = { "heddle-kernel"="one_end" "heddle-work-item-state" }
attributes #10 = { "heddle-kernel"="behind_uniform" "heddle-work-item-state" }
!1 = !{}
