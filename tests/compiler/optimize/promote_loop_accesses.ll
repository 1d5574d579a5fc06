; RUN: %heddle_opt --passes=promote-loop-accesses %s | FileCheck %s
; What a loop updates at one address is kept in a register.
declare void @unknown()

; An update in each iteration: the address is loaded before the loop and stored to after it.
; CHECK-LABEL: define void @always(
; CHECK: entry:
; CHECK: [[FIRST:%.*]] = load float, ptr addrspace(1) %c
; CHECK: loop:
; CHECK: [[BEFORE:%.*]] = phi float [ [[FIRST]], %entry ], [ [[AFTER:%.*]], %loop ]
; CHECK-NOT: ptr addrspace(1) %c
; CHECK: [[AFTER]] = fadd float [[BEFORE]], %x
; CHECK-NOT: ptr addrspace(1) %c
; CHECK: end:
; CHECK: store float [[AFTER]], ptr addrspace(1) %c
define void @always(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %c, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr float, ptr addrspace(1) %a, i64 %i
  %x = load float, ptr addrspace(1) %p
  %old = load float, ptr addrspace(1) %c
  %new = fadd float %old, %x
  store float %new, ptr addrspace(1) %c
  %next = add nuw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; An address that is computed in the loop, and only stores.
; CHECK-LABEL: define void @only_stores(
; CHECK-NOT: load float
; CHECK: loop:
; CHECK-NOT: store
; CHECK: end:
; CHECK: store i64 %i, ptr addrspace(1) %q
define void @only_stores(ptr addrspace(1) %c, i64 %n, i64 %m) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr i64, ptr addrspace(1) %c, i64 %m
  store i64 %i, ptr addrspace(1) %q
  %next = add nuw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Two updates behind a condition: the first one loads both, and a flag that they share tells whether to store.
; CHECK-LABEL: define void @sometimes(
; CHECK: entry:
; CHECK-NOT: load
; CHECK: loop:
; CHECK: [[FLAG:%.*]] = phi i1 [ false, %entry ], [ [[NEXT_FLAG:%.*]], %latch ]
; CHECK: then:
; CHECK: [[FIRST:%.*]] = xor i1 [[FLAG]], true
; CHECK-NEXT: br i1 [[FIRST]], label %[[LOAD:.*]], label %[[LOADED:.*]], !prof
; CHECK: [[LOAD]]:
; CHECK-DAG: load float, ptr addrspace(1) %c
; CHECK-DAG: load float, ptr addrspace(1) %d
; CHECK: [[LOADED]]:
; CHECK-NOT: ptr addrspace(1)
; CHECK: latch:
; CHECK: [[NEXT_FLAG]] = phi i1 {{.*}}true, %[[LOADED]]
; CHECK: br i1 [[NEXT_FLAG]], label %[[STORE:.*]], label
; CHECK: [[STORE]]:
; CHECK-DAG: store float {{.*}}, ptr addrspace(1) %c
; CHECK-DAG: store float {{.*}}, ptr addrspace(1) %d
define void @sometimes(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %c, ptr addrspace(1) noalias %d, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %p = getelementptr float, ptr addrspace(1) %a, i64 %i
  %x = load float, ptr addrspace(1) %p
  %positive = fcmp ogt float %x, 0.0
  br i1 %positive, label %then, label %latch
then:
  %old = load float, ptr addrspace(1) %c
  %new = fadd float %old, %x
  store float %new, ptr addrspace(1) %c
  %old2 = load float, ptr addrspace(1) %d
  %new2 = fmul float %old2, %x
  store float %new2, ptr addrspace(1) %d
  br label %latch
latch:
  %next = add nuw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Not if another access may be to the same memory,
; CHECK-LABEL: define void @may_alias(
; CHECK: loop:
; CHECK: store float
; CHECK: end:
; CHECK-NEXT: ret void
define void @may_alias(ptr addrspace(1) %a, ptr addrspace(1) %c, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr float, ptr addrspace(1) %a, i64 %i
  %x = load float, ptr addrspace(1) %p
  %old = load float, ptr addrspace(1) %c
  %new = fadd float %old, %x
  store float %new, ptr addrspace(1) %c
  %next = add nuw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; if there is a call that may access it, such as a barrier,
; CHECK-LABEL: define void @call(
; CHECK: loop:
; CHECK: store float
; CHECK: end:
; CHECK-NEXT: ret void
define void @call(ptr addrspace(1) %c, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %old = load float, ptr addrspace(1) %c
  %new = fadd float %old, 1.0
  store float %new, ptr addrspace(1) %c
  call void @unknown()
  %next = add nuw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; or if the accesses are volatile.
; CHECK-LABEL: define void @volatile(
; CHECK: loop:
; CHECK: store volatile float
; CHECK: end:
; CHECK-NEXT: ret void
define void @volatile(ptr addrspace(1) %c, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %old = load volatile float, ptr addrspace(1) %c
  %new = fadd float %old, 1.0
  store volatile float %new, ptr addrspace(1) %c
  %next = add nuw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; A maximum: each iteration reads, so that the address can be loaded before the loop; it is stored to if it was updated.
; CHECK-LABEL: define float @maximum(
; CHECK: entry:
; CHECK: [[FIRST:%.*]] = load float, ptr addrspace(1) %c
; CHECK: loop:
; CHECK-NOT: ptr addrspace(1) %c
; CHECK: br i1 %more, label %loop, label %end
; CHECK: end:
; CHECK-NEXT: br i1 [[FLAG:%.*]], label %[[STORE:.*]], label
; CHECK: [[STORE]]:
; CHECK-NEXT: store float {{.*}}, ptr addrspace(1) %c
define float @maximum(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %c, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %p = getelementptr float, ptr addrspace(1) %a, i64 %i
  %x = load float, ptr addrspace(1) %p
  %old = load float, ptr addrspace(1) %c
  %greater = fcmp ogt float %x, %old
  br i1 %greater, label %then, label %latch
then:
  store float %x, ptr addrspace(1) %c
  br label %latch
latch:
  %next = add nuw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret float %old
}

; Not if only some iterations read, and others store: neither before the loop nor in it is there a place to load.
; CHECK-LABEL: define void @read_elsewhere(
; CHECK: even:
; CHECK: load float, ptr addrspace(1) %c
; CHECK: end:
; CHECK-NEXT: ret void
define void @read_elsewhere(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %c, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %p = getelementptr float, ptr addrspace(1) %a, i64 %i
  %bit = trunc i64 %i to i1
  br i1 %bit, label %odd, label %even
odd:
  store float 1.0, ptr addrspace(1) %c
  br label %latch
even:
  %old = load float, ptr addrspace(1) %c
  store float %old, ptr addrspace(1) %p
  br label %latch
latch:
  %next = add nuw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}
