; RUN: %heddle_opt --passes='kernel-body(choose-width,canonicalize,choose-variants,redistribute-group-loops)' --width=8 %s | FileCheck %s
; RUN: %heddle_opt --passes='kernel-body(choose-width,canonicalize,choose-variants,redistribute-group-loops)' --width=1 %s | FileCheck %s --check-prefix=SCALAR
; RUN: %heddle_opt --passes='kernel-body(choose-width,canonicalize,choose-variants,redistribute-group-loops)' --width=8 --check=memory %s | FileCheck %s --check-prefix=SCALAR
; All sub-groups but a row's first skip a loop that any work-item can execute for the others, if the group has a row of
; at least one full sub-group and the index does not wrap around. Not with memory checks, which name the work-item.
; SCALAR-NOT: is_redistributed
; CHECK-LABEL: define void @copies.body(
; CHECK: entry:
; CHECK: [[SIZE:%.*]] = load i64, ptr %{{[0-9]+}}
; CHECK-NEXT: [[IS_FULL:%.*]] = icmp uge i64 [[SIZE]], 8
; CHECK-NEXT: [[IS_SMALL:%.*]] = icmp ult i32 %n, 1073741824
; CHECK-NEXT: %is_redistributed = and i1 [[IS_FULL]], [[IS_SMALL]]
; CHECK-NEXT: [[FIRST:%.*]] = call i64 @__heddle_sub_group_first_i64(i64 %local_x)
; CHECK-NEXT: [[IS_NOT_FIRST:%.*]] = icmp ne i64 [[FIRST]], 0
; CHECK-NEXT: [[SKIPS:%.*]] = and i1 %is_redistributed, [[IS_NOT_FIRST]]
; CHECK-NEXT: br i1 [[SKIPS]], label %done, label %entry.split
; CHECK: entry.split:
; CHECK-NEXT: br i1 %enters, label %loop.preheader, label %done
define void @copies.body(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b, i32 %n, ptr noalias %group, i64 %local_x, i64 %local_y, i64 %local_z) #0 {
entry:
  %size.address = getelementptr inbounds i8, ptr %group, i64 48
  %size.i64 = load i64, ptr %size.address, align 8
  %size = trunc i64 %size.i64 to i32
  %x = trunc i64 %local_x to i32
  %enters = icmp ult i32 %x, %n
  br i1 %enters, label %loop, label %done
loop:
  %i = phi i32 [ %x, %entry ], [ %next, %loop ]
  %index = zext i32 %i to i64
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %index
  %v = load float, ptr addrspace(1) %p
  %q = getelementptr inbounds float, ptr addrspace(1) %b, i64 %index
  store float %v, ptr addrspace(1) %q
  %next = add i32 %i, %size
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; Not a loop that uses a value of the work-item,
; CHECK-LABEL: define void @own.body(
; CHECK-NOT: is_redistributed
; CHECK: ret void
define void @own.body(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b, i32 %n, ptr noalias %group, i64 %local_x, i64 %local_y, i64 %local_z) #1 {
entry:
  %own.address = getelementptr inbounds float, ptr addrspace(1) %a, i64 %local_x
  %size.address = getelementptr inbounds i8, ptr %group, i64 48
  %size.i64 = load i64, ptr %size.address, align 8
  %size = trunc i64 %size.i64 to i32
  %x = trunc i64 %local_x to i32
  %enters = icmp ult i32 %x, %n
  br i1 %enters, label %loop, label %done
loop:
  %i = phi i32 [ %x, %entry ], [ %next, %loop ]
  %index = zext i32 %i to i64
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %index
  %v = load float, ptr addrspace(1) %own.address
  %q = getelementptr inbounds float, ptr addrspace(1) %b, i64 %index
  store float %v, ptr addrspace(1) %q
  %next = add i32 %i, %size
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; or that writes what work-items have written since the last barrier,
; CHECK-LABEL: define void @early.body(
; CHECK-NOT: is_redistributed
; CHECK: ret void
define void @early.body(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b, i32 %n, ptr noalias %group, i64 %local_x, i64 %local_y, i64 %local_z) #2 {
entry:
  %first = getelementptr inbounds float, ptr addrspace(1) %b, i64 %local_x
  store float 0.0, ptr addrspace(1) %first
  %size.address = getelementptr inbounds i8, ptr %group, i64 48
  %size.i64 = load i64, ptr %size.address, align 8
  %size = trunc i64 %size.i64 to i32
  %x = trunc i64 %local_x to i32
  %enters = icmp ult i32 %x, %n
  br i1 %enters, label %loop, label %done
loop:
  %i = phi i32 [ %x, %entry ], [ %next, %loop ]
  %index = zext i32 %i to i64
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %index
  %v = load float, ptr addrspace(1) %p
  %q = getelementptr inbounds float, ptr addrspace(1) %b, i64 %index
  store float %v, ptr addrspace(1) %q
  %next = add i32 %i, %size
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; or whose step is not the size of a row,
; CHECK-LABEL: define void @other_step.body(
; CHECK-NOT: is_redistributed
; CHECK: ret void
define void @other_step.body(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b, i32 %n, ptr noalias %group, i64 %local_x, i64 %local_y, i64 %local_z) #3 {
entry:
  %size.address = getelementptr inbounds i8, ptr %group, i64 48
  %size.i64 = load i64, ptr %size.address, align 8
  %size = trunc i64 %size.i64 to i32
  %x = trunc i64 %local_x to i32
  %enters = icmp ult i32 %x, %n
  br i1 %enters, label %loop, label %done
loop:
  %i = phi i32 [ %x, %entry ], [ %next, %loop ]
  %index = zext i32 %i to i64
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %index
  %v = load float, ptr addrspace(1) %p
  %q = getelementptr inbounds float, ptr addrspace(1) %b, i64 %index
  store float %v, ptr addrspace(1) %q
  %next = add i32 %i, %n
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; or that all work-items execute anyway.
; CHECK-LABEL: define void @uniform.body(
; CHECK-NOT: is_redistributed
; CHECK: ret void
define void @uniform.body(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b, i32 %n, ptr noalias %group, i64 %local_x, i64 %local_y, i64 %local_z) #4 {
entry:
  %size.address = getelementptr inbounds i8, ptr %group, i64 48
  %size.i64 = load i64, ptr %size.address, align 8
  %size = trunc i64 %size.i64 to i32
  %x = trunc i64 %local_x to i32
  %enters = icmp ult i32 0, %n
  br i1 %enters, label %loop, label %done
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %index = zext i32 %i to i64
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %index
  %v = load float, ptr addrspace(1) %p
  %q = getelementptr inbounds float, ptr addrspace(1) %b, i64 %index
  store float %v, ptr addrspace(1) %q
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

attributes #0 = { "heddle-kernel"="copies" "heddle-work-item-state" }
attributes #1 = { "heddle-kernel"="own" "heddle-work-item-state" }
attributes #2 = { "heddle-kernel"="early" "heddle-work-item-state" }
attributes #3 = { "heddle-kernel"="other_step" "heddle-work-item-state" }
attributes #4 = { "heddle-kernel"="uniform" "heddle-work-item-state" }
