; REQUIRES: x86
; RUN: %heddle_opt --passes='kernel-body(choose-width,canonicalize,choose-variants,redistribute-group-loops,peel-masked-remainder,nontemporal-group-loops)' --width=16 %s | FileCheck %s
; RUN: %heddle_opt --passes='kernel-body(choose-width,canonicalize,choose-variants,redistribute-group-loops,peel-masked-remainder,nontemporal-group-loops)' --width=8 %s | FileCheck %s --check-prefix=NONE
; RUN: %heddle_opt --passes='kernel-body(choose-width,canonicalize,choose-variants,redistribute-group-loops,peel-masked-remainder,nontemporal-group-loops)' --width=16 --cpu=x86-64-v2 %s | FileCheck %s --check-prefix=NONE
; RUN: %heddle_opt --passes='kernel-body(choose-width,canonicalize,choose-variants,peel-masked-remainder,nontemporal-group-loops)' --width=16 %s | FileCheck %s --check-prefix=NONE
; Stores of a redistributed loop that fill cache lines get a version that is to be non-temporal, for launches that write
; more than 32 MB. Not with lanes that fill half a cache line, before AVX2, or if the loop is not redistributed.
; NONE-NOT: heddle.line-aligned
; CHECK-LABEL: define void @copies.body(
; CHECK: [[LIMIT:%.*]] = mul i64 %{{.*}}, 8388608
; CHECK-NEXT: [[EXCEEDS:%.*]] = icmp ugt i64 %{{.*}}, [[LIMIT]]
; CHECK: loop.unmasked:
; CHECK: [[LOW:%.*]] = and i64 %{{.*}}, 63
; CHECK-NEXT: [[IS_ALIGNED:%.*]] = icmp eq i64 [[LOW]], 0
; CHECK-NEXT: [[BOTH:%.*]] = and i1 [[EXCEEDS]], [[IS_ALIGNED]]
; CHECK-NEXT: br i1 [[BOTH]]
; CHECK: store float %v.unmasked, {{.*}}, !heddle.line-aligned
; CHECK: store float %v.unmasked, ptr addrspace(1) %q.unmasked, align 4{{$}}
; CHECK: store float %v, ptr addrspace(1) %q, align 4{{$}}
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

; What the kernel reads is in the caches.
; CHECK-LABEL: define void @in_place.body(
; CHECK-NOT: heddle.line-aligned
; CHECK: ret void
define void @in_place.body(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b, i32 %n, ptr noalias %group, i64 %local_x, i64 %local_y, i64 %local_z) #1 {
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
  %q = getelementptr inbounds float, ptr addrspace(1) %a, i64 %index
  store float %v, ptr addrspace(1) %q
  %next = add i32 %i, %size
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; Others may wait for an atomic, which non-temporal stores are not ordered with.
; CHECK-LABEL: define void @tells.body(
; CHECK-NOT: heddle.line-aligned
; CHECK: ret void
define void @tells.body(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b, i32 %n, ptr noalias %group, i64 %local_x, i64 %local_y, i64 %local_z) #2 {
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
  %count = atomicrmw add ptr addrspace(1) %a, i32 1 seq_cst
  ret void
}

; These stores leave gaps in the cache lines.
; CHECK-LABEL: define void @strided.body(
; CHECK-NOT: heddle.line-aligned
; CHECK: ret void
define void @strided.body(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b, i32 %n, ptr noalias %group, i64 %local_x, i64 %local_y, i64 %local_z) #3 {
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
  %index2 = shl i64 %index, 1
  %q = getelementptr inbounds float, ptr addrspace(1) %b, i64 %index2
  store float %v, ptr addrspace(1) %q
  %next = add i32 %i, %size
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

attributes #0 = { "heddle-kernel"="copies" "heddle-work-item-state" }
attributes #1 = { "heddle-kernel"="in_place" "heddle-work-item-state" }
attributes #2 = { "heddle-kernel"="tells" "heddle-work-item-state" }
attributes #3 = { "heddle-kernel"="strided" "heddle-work-item-state" }
