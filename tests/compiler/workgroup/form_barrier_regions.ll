; RUN: %heddle_opt --passes='mark-barriers,kernel-body(choose-width,canonicalize,choose-variants,emit-variants,form-barrier-regions)' --width=1 %s | FileCheck %s --implicit-check-not=@plain.item
; RUN: %heddle_opt --passes='mark-barriers,kernel-body(choose-width,canonicalize,choose-variants,emit-variants,form-barrier-regions)' --width=8 %s | FileCheck %s --check-prefix=VECTOR
; RUN: %heddle_opt --passes='mark-barriers,kernel-body(choose-width,canonicalize,choose-variants,emit-variants,form-barrier-regions)' --width=8 --fibers %s | FileCheck %s --check-prefix=FIBERS
; Variants of kernels with barriers are split into regions; a kernel without any (plain) is not, and on fibers the
; variants keep their barriers.

; A value that lives across the barrier is in the frame; one that is an address of the work-item is computed again.
; CHECK-LABEL: define internal i32 @exchange.item(
; CHECK-SAME: i32 %region, ptr {{.*}}%frame, ptr {{.*}}%uniform_in, ptr {{.*}}%uniform_out)
; CHECK: switch i32 %region, label %unreachable [
; CHECK-NEXT: i32 0, label
; CHECK-NEXT: i32 1, label %region1
; CHECK-NEXT: ]
; CHECK: [[SLOT:%.*]] = getelementptr inbounds i8, ptr %frame, i64
; CHECK-NEXT: store i32 %v, ptr [[SLOT]]
; CHECK: store i32 %v, ptr addrspace(3) %q
; CHECK-NEXT: ret i32 1
; CHECK: region1:
; CHECK: getelementptr inbounds i32, ptr addrspace(1) %a, i64 %local_x
; CHECK: load i32, ptr
; CHECK: ret i32 0
; VECTOR-LABEL: define internal i32 @exchange.whole(
; VECTOR: store <8 x i32> {{.*}}, ptr addrspace(3)
; VECTOR-NEXT: ret i32 1
; VECTOR-LABEL: define internal i32 @exchange.tail(
; FIBERS-LABEL: define internal void @exchange.whole(
; FIBERS: call void @heddle.barrier()

; A region ends at whichever barrier it reaches.
; CHECK-LABEL: define internal i32 @branches.item(
; CHECK: i32 2, label %region2
; CHECK: br i1 %few
; CHECK: ret i32 1
; CHECK: region1:
; CHECK-NEXT: store i32 1
; CHECK: ret i32 2
; CHECK: region2:
; CHECK-NEXT: store i32 2
; CHECK: ret i32 0
; VECTOR: define internal void @plain.whole(
declare void @_Z7barrierj(i32) convergent

define void @exchange.body(ptr addrspace(1) %a, ptr addrspace(3) %t, ptr noalias %group, i64 %local_x, i64 %local_y, i64 %local_z) #0 {
  %p = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %local_x
  %v = load i32, ptr addrspace(1) %p
  %q = getelementptr inbounds i32, ptr addrspace(3) %t, i64 %local_x
  store i32 %v, ptr addrspace(3) %q
  call void @_Z7barrierj(i32 1)
  %w = load i32, ptr addrspace(3) %t
  %sum = add i32 %w, %v
  store i32 %sum, ptr addrspace(1) %p
  ret void
}

define void @branches.body(ptr addrspace(1) %a, ptr addrspace(3) %t, i32 %n, ptr noalias %group, i64 %local_x, i64 %local_y, i64 %local_z) #1 {
entry:
  store i32 %n, ptr addrspace(3) %t
  %few = icmp ult i32 %n, 3
  br i1 %few, label %one, label %other
one:
  call void @_Z7barrierj(i32 1)
  store i32 1, ptr addrspace(1) %a
  br label %done
other:
  call void @_Z7barrierj(i32 1)
  store i32 2, ptr addrspace(1) %a
  br label %done
done:
  ret void
}

define void @plain.body(ptr addrspace(1) %a, ptr noalias %group, i64 %local_x, i64 %local_y, i64 %local_z) #2 {
  store i64 %local_x, ptr addrspace(1) %a
  ret void
}

attributes #0 = { "heddle-kernel"="exchange" "heddle-work-item-state" }
attributes #1 = { "heddle-kernel"="branches" "heddle-work-item-state" }
attributes #2 = { "heddle-kernel"="plain" "heddle-work-item-state" }
