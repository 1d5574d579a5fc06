; RUN: %heddle_opt --check=memory --passes=check-accesses %s | FileCheck %s

; Accesses by a kernel's argument are compared with its bounds, which are loaded once. Those at constant distances have
; one check, at the first one, of all their bytes: no more addresses than bytes + 1 - 12 are right, and none if the
; argument is not aligned.
; CHECK-DAG: @heddle.accesses = {{.*}} { i64 2, [2 x { ptr, i32, i64, i64, i64 }] [{ ptr, i32, i64, i64, i64 } { ptr @heddle.place, i32 21, i64 8, i64 4, i64 4 }, { ptr, i32, i64, i64, i64 } { ptr @heddle.place, i32 22, i64 0, i64 4, i64 4 }] }
; CHECK-LABEL: define void @neighbors.body(
; CHECK: %bounds = load ptr, ptr %{{.*}}, !invariant.load
; CHECK: %p.begin = load i64
; CHECK: %p.bytes = load i64
; CHECK: [[ALL:%.*]] = add i64 %p.bytes, 1
; CHECK: [[COUNT:%.*]] = call i64 @llvm.usub.sat.i64(i64 [[ALL]], i64 12)
; CHECK: [[ALIGNED:%.*]] = select i1 %{{.*}}, i64 [[COUNT]], i64 0
; CHECK: [[FIRST:%.*]] = getelementptr i8, ptr addrspace(1) %b, i64 -8
; CHECK-NEXT: call void @heddle.check_bounds.p1(ptr addrspace(1) [[FIRST]], ptr addrspace(1) [[FIRST]], i64 %p.begin, i64 [[ALIGNED]], i64 0, ptr %worker, ptr @heddle.accesses, i64 1, i64 0, i64 1, i64 0)
; CHECK-NEXT: load i32, ptr addrspace(1) %b
; CHECK-NEXT: store i32 1, ptr addrspace(1) %a
define void @neighbors.body(ptr addrspace(1) %p, i64 %i, ptr %group, i64 %x, i64 %y, i64 %z) #0 {
  %a = getelementptr i32, ptr addrspace(1) %p, i64 %i
  %b = getelementptr i32, ptr addrspace(1) %a, i64 2
  %c = load i32, ptr addrspace(1) %b
  store i32 1, ptr addrspace(1) %a
  ret void
}
; What all iterations of a loop access is checked before the loop: the first and the last address.
; CHECK-LABEL: define void @loop.body(
; CHECK: entry:
; CHECK: [[LAST:%.*]] = getelementptr i8, ptr addrspace(1) %p, i64 {{%.*}}
; CHECK: call void @heddle.check_bounds.p1(ptr addrspace(1) %p, ptr addrspace(1) [[LAST]], i64 %p.begin, i64 %{{.*}}, i64 0, ptr %worker, ptr @heddle.accesses.{{.*}}, i64 1, i64 8, i64 {{%.*}}, i64 0)
; CHECK: br label %loop
; CHECK: loop:
; CHECK-NOT: check_bounds
; CHECK: load i64
; CHECK: br i1 %{{.*}}, label %rare, label %latch
; One that only some execute stays there, at an address whose alignment is not known.
; CHECK: rare:
; CHECK: call void @heddle.check_bounds.p1(ptr addrspace(1) %r, ptr addrspace(1) %r, {{.*}}, i64 3, ptr %worker,
; CHECK-NEXT: store i32
define void @loop.body(ptr addrspace(1) %p, i64 %n, ptr %group, i64 %x, i64 %y, i64 %z) #1 {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %latch ]
  %q = getelementptr i64, ptr addrspace(1) %p, i64 %i
  %v = load i64, ptr addrspace(1) %q, align 8
  %c = icmp eq i64 %v, 0
  br i1 %c, label %rare, label %latch
rare:
  %r = getelementptr i8, ptr addrspace(1) %p, i64 %v
  store i32 2, ptr addrspace(1) %r
  br label %latch
latch:
  %j = add nuw i64 %i, 1
  %e = icmp ult i64 %j, %n
  br i1 %e, label %loop, label %end
end:
  ret void
}
; The vectorizer and scalar code compare; a record of each access is made where that fails.
; CHECK-LABEL: define internal void @heddle.check_bounds.p1(
; CHECK-SAME: #[[INLINE:[0-9]+]]
; CHECK: icmp ult i64
; CHECK: br i1 %{{.*}}, label %right, label %wrong, !prof
; CHECK: call void @heddle.bounds_exceeded(
; CHECK-LABEL: define internal void @heddle.bounds_exceeded(
; CHECK: call void %{{.*}}(ptr %{{.*}}, ptr %record)
; CHECK: attributes #[[INLINE]] = { alwaysinline
attributes #0 = { "heddle-kernel"="neighbors" "heddle-work-item-state" }
attributes #1 = { "heddle-kernel"="loop" "heddle-work-item-state" }
