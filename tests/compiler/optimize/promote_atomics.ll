; RUN: %heddle_opt --passes=promote-atomics %s | FileCheck %s
; A loop over sub-groups, which has a marker of the work-item for faults, updates one address atomically: once, after the
; loop, by what its iterations update it by together.
declare void @heddle.note(i64, ptr) nounwind willreturn nosync nofree nocallback memory(inaccessiblemem: write)
declare i32 @llvm.vector.reduce.add.v8i32(<8 x i32>)
declare i32 @llvm.vector.reduce.umax.v8i32(<8 x i32>)

; CHECK-LABEL: define void @add(
; CHECK: loop:
; CHECK: [[BEFORE:%.*]] = phi i32 [ 0, %entry ], [ [[AFTER:%.*]], %loop ]
; CHECK-NOT: atomicrmw
; CHECK: [[AFTER]] = add i32 [[BEFORE]], %v
; CHECK: br i1 %more, label %loop, label %end
; The address may be invalid where nothing is added.
; CHECK: end:
; CHECK: [[CHANGES:%.*]] = icmp ne i32 [[AFTER]], 0
; CHECK-NEXT: br i1 [[CHANGES]], label %[[UPDATE:.*]], label %[[DONE:[0-9]+]]
; CHECK: [[UPDATE]]:
; CHECK-NEXT: atomicrmw add ptr addrspace(1) %p, i32 [[AFTER]] monotonic, align 4
; CHECK-NEXT: br label %[[DONE]]
define void @add(ptr addrspace(1) %p, ptr %place, i64 %n, i32 %v, <8 x i32> %w, ptr addrspace(1) %q) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  call void @heddle.note(i64 %i, ptr %place)
  %old = atomicrmw add ptr addrspace(1) %p, i32 %v monotonic, align 4
  %next = add nuw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; The lanes are reduced after the loop, too.
; CHECK-LABEL: define void @reduced(
; CHECK: loop:
; CHECK: [[BEFORE:%.*]] = phi <8 x i32> [ zeroinitializer, %entry ], [ [[AFTER:%.*]], %loop ]
; CHECK-NOT: reduce
; CHECK: [[AFTER]] = call <8 x i32> @llvm.umax.v8i32(<8 x i32> [[BEFORE]], <8 x i32> %w)
; CHECK: end:
; CHECK: [[TOTAL:%.*]] = call i32 @llvm.vector.reduce.umax.v8i32(<8 x i32> [[AFTER]])
; CHECK: atomicrmw umax ptr addrspace(1) %p, i32 [[TOTAL]] monotonic
define void @reduced(ptr addrspace(1) %p, ptr %place, i64 %n, i32 %v, <8 x i32> %w, ptr addrspace(1) %q) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  call void @heddle.note(i64 %i, ptr %place)
  %sum = call i32 @llvm.vector.reduce.umax.v8i32(<8 x i32> %w)
  %old = atomicrmw umax ptr addrspace(1) %p, i32 %sum monotonic, align 4
  %next = add nuw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; From the identity of the operation.
; CHECK-LABEL: define void @minimum(
; CHECK: phi i32 [ 2147483647, %entry ],
; CHECK: call i32 @llvm.smin.i32(
; CHECK: icmp ne i32 %{{.*}}, 2147483647
define void @minimum(ptr addrspace(1) %p, ptr %place, i64 %n, i32 %v, <8 x i32> %w, ptr addrspace(1) %q) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  call void @heddle.note(i64 %i, ptr %place)
  %old = atomicrmw min ptr addrspace(1) %p, i32 %v monotonic, align 4
  %next = add nuw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Iterations of other loops are of one work-item, which may see that it has updated.
; CHECK-LABEL: define void @other_loop(
; CHECK: loop:
; CHECK: atomicrmw
; CHECK: br i1 %more, label %loop, label %end
; CHECK: end:
; CHECK-NEXT: ret void
define void @other_loop(ptr addrspace(1) %p, ptr %place, i64 %n, i32 %v, <8 x i32> %w, ptr addrspace(1) %q) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %old = atomicrmw add ptr addrspace(1) %p, i32 %v monotonic, align 4
  %next = add nuw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Not where the old value is used,
; CHECK-LABEL: define void @result_used(
; CHECK: loop:
; CHECK: atomicrmw
; CHECK: br i1 %more, label %loop, label %end
; CHECK: end:
; CHECK-NEXT: ret void
define void @result_used(ptr addrspace(1) %p, ptr %place, i64 %n, i32 %v, <8 x i32> %w, ptr addrspace(1) %q) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  call void @heddle.note(i64 %i, ptr %place)
  %old = atomicrmw add ptr addrspace(1) %p, i32 %v monotonic, align 4
  %dead = add i32 %old, 1
  %next = add nuw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; the update orders other accesses,
; CHECK-LABEL: define void @ordered(
; CHECK: loop:
; CHECK: atomicrmw
; CHECK: br i1 %more, label %loop, label %end
; CHECK: end:
; CHECK-NEXT: ret void
define void @ordered(ptr addrspace(1) %p, ptr %place, i64 %n, i32 %v, <8 x i32> %w, ptr addrspace(1) %q) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  call void @heddle.note(i64 %i, ptr %place)
  %old = atomicrmw add ptr addrspace(1) %p, i32 %v seq_cst, align 4
  %next = add nuw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; or is volatile,
; CHECK-LABEL: define void @volatile(
; CHECK: loop:
; CHECK: atomicrmw
; CHECK: br i1 %more, label %loop, label %end
; CHECK: end:
; CHECK-NEXT: ret void
define void @volatile(ptr addrspace(1) %p, ptr %place, i64 %n, i32 %v, <8 x i32> %w, ptr addrspace(1) %q) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  call void @heddle.note(i64 %i, ptr %place)
  %old = atomicrmw volatile add ptr addrspace(1) %p, i32 %v monotonic, align 4
  %next = add nuw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; the operation is not associative,
; CHECK-LABEL: define void @exchange(
; CHECK: loop:
; CHECK: atomicrmw
; CHECK: br i1 %more, label %loop, label %end
; CHECK: end:
; CHECK-NEXT: ret void
define void @exchange(ptr addrspace(1) %p, ptr %place, i64 %n, i32 %v, <8 x i32> %w, ptr addrspace(1) %q) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  call void @heddle.note(i64 %i, ptr %place)
  %old = atomicrmw xchg ptr addrspace(1) %p, i32 %v monotonic, align 4
  %next = add nuw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; or rounds,
; CHECK-LABEL: define void @floats(
; CHECK: loop:
; CHECK: atomicrmw
; CHECK: br i1 %more, label %loop, label %end
; CHECK: end:
; CHECK-NEXT: ret void
define void @floats(ptr addrspace(1) %p, ptr %place, i64 %n, i32 %v, <8 x i32> %w, ptr addrspace(1) %q) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  call void @heddle.note(i64 %i, ptr %place)
  %old = atomicrmw fadd ptr addrspace(1) %p, float 1.0 monotonic, align 4
  %next = add nuw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; the address changes,
; CHECK-LABEL: define void @other_addresses(
; CHECK: loop:
; CHECK: atomicrmw
; CHECK: br i1 %more, label %loop, label %end
; CHECK: end:
; CHECK-NEXT: ret void
define void @other_addresses(ptr addrspace(1) %p, ptr %place, i64 %n, i32 %v, <8 x i32> %w, ptr addrspace(1) %q) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  call void @heddle.note(i64 %i, ptr %place)
  %at = getelementptr i32, ptr addrspace(1) %p, i64 %i
  %old = atomicrmw add ptr addrspace(1) %at, i32 %v monotonic, align 4
  %next = add nuw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; there is another store,
; CHECK-LABEL: define void @stores(
; CHECK: loop:
; CHECK: atomicrmw
; CHECK: br i1 %more, label %loop, label %end
; CHECK: end:
; CHECK-NEXT: ret void
define void @stores(ptr addrspace(1) %p, ptr %place, i64 %n, i32 %v, <8 x i32> %w, ptr addrspace(1) %q) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  call void @heddle.note(i64 %i, ptr %place)
  %old = atomicrmw add ptr addrspace(1) %p, i32 %v monotonic, align 4
  store i32 1, ptr addrspace(1) %q
  %next = add nuw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; another update,
; CHECK-LABEL: define void @two(
; CHECK: loop:
; CHECK-COUNT-2: atomicrmw
; CHECK: br i1 %more, label %loop, label %end
; CHECK: end:
; CHECK-NEXT: ret void
define void @two(ptr addrspace(1) %p, ptr %place, i64 %n, i32 %v, <8 x i32> %w, ptr addrspace(1) %q) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  call void @heddle.note(i64 %i, ptr %place)
  %old = atomicrmw add ptr addrspace(1) %p, i32 %v monotonic, align 4
  %second = atomicrmw add ptr addrspace(1) %q, i32 %v monotonic, align 4
  %next = add nuw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; or a load after it.
; CHECK-LABEL: define void @load_after(
; CHECK: loop:
; CHECK: atomicrmw
; CHECK: br i1 %more, label %loop, label %end
; CHECK: end:
; CHECK-NEXT: ret void
define void @load_after(ptr addrspace(1) %p, ptr %place, i64 %n, i32 %v, <8 x i32> %w, ptr addrspace(1) %q) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  call void @heddle.note(i64 %i, ptr %place)
  %old = atomicrmw add ptr addrspace(1) %p, i32 %v monotonic, align 4
  %read = load i32, ptr addrspace(1) %p
  %use = add i32 %read, 1
  %next = add nuw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}
