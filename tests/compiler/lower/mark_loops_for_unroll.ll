; RUN: %heddle_opt --passes=mark-loops-for-unroll %s | FileCheck %s
; A short loop that clamps an index is marked for full unrolling: most of the clamps go away then.
declare i32 @llvm.smax.i32(i32, i32)

; CHECK-LABEL: define void @clamps(
; CHECK: br i1 %more, label %loop, label %end, !llvm.loop [[MARKED:![0-9]+]]
define void @clamps(ptr %p, i32 %x) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %at = add i32 %x, %i
  %clamped = call i32 @llvm.smax.i32(i32 %at, i32 0)
  %address = getelementptr i32, ptr %p, i32 %clamped
  store i32 1, ptr %address
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 5
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Loops without clamps are LLVM's.
; CHECK-LABEL: define void @plain(
; CHECK: br i1 %more, label %loop, label %end{{$}}
define void @plain(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %address = getelementptr i32, ptr %p, i32 %i
  store i32 1, ptr %address
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 5
  br i1 %more, label %loop, label %end
end:
  ret void
}

; So are loops with an unknown number of iterations, and those with too many.
; CHECK-LABEL: define void @unknown(
; CHECK: br i1 %more, label %loop, label %end{{$}}
define void @unknown(ptr %p, i32 %x, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %at = add i32 %x, %i
  %clamped = call i32 @llvm.smax.i32(i32 %at, i32 0)
  %address = getelementptr i32, ptr %p, i32 %clamped
  store i32 1, ptr %address
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}
; CHECK-LABEL: define void @long(
; CHECK: br i1 %more, label %loop, label %end{{$}}
define void @long(ptr %p, i32 %x) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %at = add i32 %x, %i
  %clamped = call i32 @llvm.smax.i32(i32 %at, i32 0)
  %address = getelementptr i32, ptr %p, i32 %clamped
  store i32 1, ptr %address
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 1000
  br i1 %more, label %loop, label %end
end:
  ret void
}

; What the program asks for counts.
; CHECK-LABEL: define void @disabled(
; CHECK: br i1 %more, label %loop, label %end, !llvm.loop [[DISABLED:![0-9]+]]
define void @disabled(ptr %p, i32 %x) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %at = add i32 %x, %i
  %clamped = call i32 @llvm.smax.i32(i32 %at, i32 0)
  %address = getelementptr i32, ptr %p, i32 %clamped
  store i32 1, ptr %address
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 5
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  ret void
}

; Both loops of a nest are marked if they are short together; other properties stay.
; CHECK-LABEL: define void @nest(
; CHECK: br i1 %inner.more, label %inner, label %latch, !llvm.loop [[INNER:![0-9]+]]
; CHECK: br i1 %more, label %outer, label %end, !llvm.loop [[OUTER:![0-9]+]]
define void @nest(ptr %p, i32 %x) {
entry:
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %inner.next, %inner ]
  %sum = add i32 %i, %j
  %at = add i32 %x, %sum
  %clamped = call i32 @llvm.smax.i32(i32 %at, i32 0)
  %address = getelementptr i32, ptr %p, i32 %clamped
  store i32 1, ptr %address
  %inner.next = add nuw nsw i32 %j, 1
  %inner.more = icmp ult i32 %inner.next, 3
  br i1 %inner.more, label %inner, label %latch, !llvm.loop !2
latch:
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 3
  br i1 %more, label %outer, label %end
end:
  ret void
}

; Loops that count at changing addresses stay rolled, those around them too.
; CHECK-LABEL: define void @histogram(
; CHECK: br i1 %inner.more, label %inner, label %latch, !llvm.loop [[COUNTS:![0-9]+]]
; CHECK: br i1 %more, label %outer, label %end, !llvm.loop [[AROUND:![0-9]+]]
define void @histogram(ptr %p, ptr addrspace(3) %counts, i32 %x) {
entry:
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %inner.next, %inner ]
  %sum = add i32 %i, %j
  %at = add i32 %x, %sum
  %clamped = call i32 @llvm.smax.i32(i32 %at, i32 0)
  %address = getelementptr i32, ptr %p, i32 %clamped
  %bin = load i32, ptr %address
  %count = getelementptr i32, ptr addrspace(3) %counts, i32 %bin
  %old = atomicrmw add ptr addrspace(3) %count, i32 1 monotonic
  %inner.next = add nuw nsw i32 %j, 1
  %inner.more = icmp ult i32 %inner.next, 3
  br i1 %inner.more, label %inner, label %latch
latch:
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 3
  br i1 %more, label %outer, label %end
end:
  ret void
}

; One counter is a reduction, and what indexes a private array is better unrolled.
; CHECK-LABEL: define void @counter(
; CHECK: br i1 %more, label %loop, label %end, !llvm.loop [[COUNTER:![0-9]+]]
define void @counter(ptr %p, ptr addrspace(3) %count, i32 %x) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %at = add i32 %x, %i
  %clamped = call i32 @llvm.smax.i32(i32 %at, i32 0)
  %address = getelementptr i32, ptr %p, i32 %clamped
  %value = load i32, ptr %address
  %old = atomicrmw add ptr addrspace(3) %count, i32 %value monotonic
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 5
  br i1 %more, label %loop, label %end
end:
  ret void
}
; CHECK-LABEL: define void @components(
; CHECK: br i1 %more, label %loop, label %end, !llvm.loop [[COMPONENTS:![0-9]+]]
define void @components(ptr addrspace(3) %counts, i32 %x) {
entry:
  %values = alloca [4 x i32]
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %at = add i32 %x, %i
  %clamped = call i32 @llvm.smax.i32(i32 %at, i32 0)
  %address = getelementptr i32, ptr %values, i32 %clamped
  %bin = load i32, ptr %address
  %count = getelementptr i32, ptr addrspace(3) %counts, i32 %bin
  %old = atomicrmw add ptr addrspace(3) %count, i32 1 monotonic
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 4
  br i1 %more, label %loop, label %end
end:
  ret void
}

; The elements of an array of threes, the last one first; but not elements from any place on.
; CHECK-LABEL: define void @threes(
; CHECK: br i1 %more, label %loop, label %end, !llvm.loop [[THREES:![0-9]+]]
define void @threes(ptr addrspace(1) %p, i32 %x) {
entry:
  %first = mul nsw i32 %x, 3
  br label %loop
loop:
  %i = phi i32 [ 2, %entry ], [ %next, %loop ]
  %at = add nsw i32 %first, %i
  %index = sext i32 %at to i64
  %address = getelementptr i16, ptr addrspace(1) %p, i64 %index
  store i16 1, ptr addrspace(1) %address
  %next = add nsw i32 %i, -1
  %more = icmp sgt i32 %i, 0
  br i1 %more, label %loop, label %end
end:
  ret void
}
; Also if nothing shows that their index does not overflow.
; CHECK-LABEL: define void @threes_of_table(
; CHECK: br i1 %more, label %loop, label %end, !llvm.loop [[TABLE:![0-9]+]]
define void @threes_of_table(ptr addrspace(1) %p, ptr addrspace(1) %table) {
entry:
  %x = load i32, ptr addrspace(1) %table
  %first = mul i32 %x, 3
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %at = add i32 %first, %i
  %index = sext i32 %at to i64
  %address = getelementptr i8, ptr addrspace(1) %p, i64 %index
  store i8 1, ptr addrspace(1) %address
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 3
  br i1 %more, label %loop, label %end
end:
  ret void
}
; CHECK-LABEL: define void @walk(
; CHECK: br i1 %more, label %loop, label %end{{$}}
define void @walk(ptr addrspace(1) %p, i32 %x) {
entry:
  %first = shl nsw i32 %x, 1
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %at = add nsw i32 %first, %i
  %index = sext i32 %at to i64
  %address = getelementptr i16, ptr addrspace(1) %p, i64 %index
  store i16 1, ptr addrspace(1) %address
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 4
  br i1 %more, label %loop, label %end
end:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}
!2 = distinct !{!2, !3}
!3 = !{!"llvm.loop.mustprogress"}

; CHECK: [[MARKED]] = distinct !{[[MARKED]], [[FULL:![0-9]+]]}
; CHECK: [[FULL]] = !{!"llvm.loop.unroll.full"}
; CHECK: [[DISABLED]] = distinct !{[[DISABLED]], [[DISABLE:![0-9]+]]}
; CHECK: [[DISABLE]] = !{!"llvm.loop.unroll.disable"}
; CHECK: [[INNER]] = distinct !{[[INNER]], [[PROGRESS:![0-9]+]], [[FULL]]}
; CHECK: [[PROGRESS]] = !{!"llvm.loop.mustprogress"}
; CHECK: [[OUTER]] = distinct !{[[OUTER]], [[FULL]]}
; CHECK: [[COUNTS]] = distinct !{[[COUNTS]], [[DISABLE]]}
; CHECK: [[AROUND]] = distinct !{[[AROUND]], [[DISABLE]]}
; CHECK: [[COUNTER]] = distinct !{[[COUNTER]], [[FULL]]}
; CHECK: [[COMPONENTS]] = distinct !{[[COMPONENTS]], [[FULL]]}
; CHECK: [[THREES]] = distinct !{[[THREES]], [[FULL]]}
; CHECK: [[TABLE]] = distinct !{[[TABLE]], [[FULL]]}
