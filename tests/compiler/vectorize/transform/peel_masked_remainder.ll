; RUN: %heddle_opt --passes='kernel-body(choose-width,canonicalize,choose-variants,peel-masked-remainder)' --width=8 %s | FileCheck %s
; RUN: %heddle_opt --passes='kernel-body(choose-width,canonicalize,choose-variants,peel-masked-remainder)' --width=1 %s | FileCheck %s --check-prefix=SCALAR
; A loop that is strided by the group's size gets a copy for the iterations in which all lanes are within the bound. The
; index there is affine and does not wrap around; the blocks that only other iterations reach are marked.
; SCALAR-NOT: unmasked
; CHECK-LABEL: define void @copies.body(
; CHECK: entry:
; CHECK: [[FIRST:%.*]] = call i32 @__heddle_sub_group_first_i32(i32 %x)
; CHECK-NEXT: [[LIMIT:%.*]] = sub i32 %n, 7
; CHECK-NEXT: [[IS_BELOW:%.*]] = icmp ult i32 [[FIRST]], [[LIMIT]]
; CHECK-NEXT: [[HAS_ROOM:%.*]] = icmp uge i32 %n, 7
; CHECK-NEXT: %all_in_bound = and i1 [[HAS_ROOM]], [[IS_BELOW]]
; CHECK-NEXT: br i1 %all_in_bound, label %unmasked, label %unmasked.skip
; CHECK: loop.unmasked:
; CHECK: [[LANE:%.*]] = call i32 @__heddle_sub_group_local_id()
; CHECK-NEXT: [[INDEX:%.*]] = add nuw i32 %{{.*}}, [[LANE]]
; CHECK-NEXT: zext i32 [[INDEX]] to i64
; CHECK: br i1 %all_in_bound{{.+}}, label %loop.unmasked, label %unmasked.exit
; CHECK: unmasked.exit:
; CHECK: br i1 %{{.*}}, label %remainder, label %done.loopexit, !heddle.masked-remainder
; CHECK: unmasked.skip:
; CHECK: br i1 %enters, label %remainder, label %done, !heddle.masked-remainder
; CHECK: loop:
; CHECK: br i1 %more, label %loop, label %{{.*}}, !heddle.masked-remainder
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

; Not a loop that is uniform,
; CHECK-LABEL: define void @uniform.body(
; CHECK-NOT: unmasked
; CHECK-NOT: masked-remainder
; CHECK: ret void
define void @uniform.body(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b, i32 %n, ptr noalias %group, i64 %local_x, i64 %local_y, i64 %local_z) #1 {
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

; whose step is divergent,
; CHECK-LABEL: define void @divergent_step.body(
; CHECK-NOT: unmasked
; CHECK-NOT: masked-remainder
; CHECK: ret void
define void @divergent_step.body(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b, i32 %n, ptr noalias %group, i64 %local_x, i64 %local_y, i64 %local_z) #2 {
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
  %next = add i32 %i, %x
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; or whose bound is.
; CHECK-LABEL: define void @divergent_bound.body(
; CHECK-NOT: unmasked
; CHECK-NOT: masked-remainder
; CHECK: ret void
define void @divergent_bound.body(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b, i32 %n, ptr noalias %group, i64 %local_x, i64 %local_y, i64 %local_z) #3 {
entry:
  %x2.i64 = mul i64 %local_x, %local_x
  %x2 = trunc i64 %x2.i64 to i32
  %size.address = getelementptr inbounds i8, ptr %group, i64 48
  %size.i64 = load i64, ptr %size.address, align 8
  %size = trunc i64 %size.i64 to i32
  %x = trunc i64 %local_x to i32
  %enters = icmp ult i32 %x, %x2
  br i1 %enters, label %loop, label %done
loop:
  %i = phi i32 [ %x, %entry ], [ %next, %loop ]
  %index = zext i32 %i to i64
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %index
  %v = load float, ptr addrspace(1) %p
  %q = getelementptr inbounds float, ptr addrspace(1) %b, i64 %index
  store float %v, ptr addrspace(1) %q
  %next = add i32 %i, %size
  %more = icmp ult i32 %next, %x2
  br i1 %more, label %loop, label %done
done:
  ret void
}

attributes #0 = { "heddle-kernel"="copies" "heddle-work-item-state" }
attributes #1 = { "heddle-kernel"="uniform" "heddle-work-item-state" }
attributes #2 = { "heddle-kernel"="divergent_step" "heddle-work-item-state" }
attributes #3 = { "heddle-kernel"="divergent_bound" "heddle-work-item-state" }
