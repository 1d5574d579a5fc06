; RUN: %heddle_opt --passes=unroll-for-sroa %s | FileCheck %s
; A loop is marked for full unrolling if the private array that it indexes then becomes registers.

; CHECK-LABEL: define void @array(
; CHECK: br i1 %more, label %loop, label %end, !llvm.loop [[MARKED:![0-9]+]]
define void @array(float %x) {
entry:
  %array = alloca [8 x float]
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %address = getelementptr [8 x float], ptr %array, i64 0, i64 %i
  store float %x, ptr %address
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 8
  br i1 %more, label %loop, label %end
end:
  ret void
}

; So is one beside a loop over the array that is marked already.
; CHECK-LABEL: define void @marked_before(
; CHECK: br i1 %more, label %loop, label %between, !llvm.loop [[BEFORE:![0-9]+]]
; CHECK: br i1 %more2, label %second, label %end, !llvm.loop [[BESIDE:![0-9]+]]
define void @marked_before(float %x) {
entry:
  %array = alloca [8 x float]
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %address = getelementptr [8 x float], ptr %array, i64 0, i64 %i
  store float %x, ptr %address
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 8
  br i1 %more, label %loop, label %between, !llvm.loop !2
between:
  br label %second
second:
  %j = phi i64 [ 0, %between ], [ %next2, %second ]
  %address2 = getelementptr [8 x float], ptr %array, i64 0, i64 %j
  %value = load float, ptr %address2
  %twice = fadd float %value, %value
  store float %twice, ptr %address2
  %next2 = add nuw nsw i64 %j, 1
  %more2 = icmp ult i64 %next2, 8
  br i1 %more2, label %second, label %end
end:
  ret void
}
!2 = distinct !{!2, !3}
!3 = !{!"llvm.loop.unroll.full"}

; An index that is not known at compile time keeps the array in memory.
; CHECK-LABEL: define float @other_index(
; CHECK: br i1 %more, label %loop, label %end{{$}}
define float @other_index(float %x, i64 %which) {
entry:
  %array = alloca [8 x float]
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %address = getelementptr [8 x float], ptr %array, i64 0, i64 %i
  store float %x, ptr %address
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 8
  br i1 %more, label %loop, label %end
end:
  %chosen = getelementptr [8 x float], ptr %array, i64 0, i64 %which
  %value = load float, ptr %chosen
  ret float %value
}

; So does a volatile access, and a use of its address.
; CHECK-LABEL: define void @volatile(
; CHECK: br i1 %more, label %loop, label %end{{$}}
define void @volatile(float %x) {
entry:
  %array = alloca [8 x float]
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %address = getelementptr [8 x float], ptr %array, i64 0, i64 %i
  store volatile float %x, ptr %address
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 8
  br i1 %more, label %loop, label %end
end:
  ret void
}
declare void @use(ptr)
; CHECK-LABEL: define void @escapes(
; CHECK: br i1 %more, label %loop, label %end{{$}}
define void @escapes(float %x) {
entry:
  %array = alloca [8 x float]
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %address = getelementptr [8 x float], ptr %array, i64 0, i64 %i
  store float %x, ptr %address
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 8
  br i1 %more, label %loop, label %end
end:
  call void @use(ptr %array)
  ret void
}

; The registers do not hold large arrays.
; CHECK-LABEL: define void @large(
; CHECK: br i1 %more, label %loop, label %end{{$}}
define void @large(float %x) {
entry:
  %array = alloca [512 x float]
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %address = getelementptr [512 x float], ptr %array, i64 0, i64 %i
  store float %x, ptr %address
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 8
  br i1 %more, label %loop, label %end
end:
  ret void
}

; A loop with a barrier must not be copied.
declare void @heddle.barrier() convergent noduplicate
; CHECK-LABEL: define void @barrier(
; CHECK: br i1 %more, label %loop, label %end{{$}}
define void @barrier(float %x) {
entry:
  %array = alloca [8 x float]
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %address = getelementptr [8 x float], ptr %array, i64 0, i64 %i
  store float %x, ptr %address
  call void @heddle.barrier() convergent noduplicate
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 8
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: define void @unknown_length(
; CHECK: br i1 %more, label %loop, label %end{{$}}
define void @unknown_length(float %x, i64 %n) {
entry:
  %array = alloca [8 x float]
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %address = getelementptr [8 x float], ptr %array, i64 0, i64 %i
  store float %x, ptr %address
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; What the program asks for counts.
; CHECK-LABEL: define void @disabled(
; CHECK: br i1 %more, label %loop, label %end, !llvm.loop [[DISABLED:![0-9]+]]
define void @disabled(float %x) {
entry:
  %array = alloca [8 x float]
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %address = getelementptr [8 x float], ptr %array, i64 0, i64 %i
  store float %x, ptr %address
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 8
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}

; CHECK: [[MARKED]] = distinct !{[[MARKED]], [[FULL:![0-9]+]]}
; CHECK: [[FULL]] = !{!"llvm.loop.unroll.full", i32 1}
; CHECK: [[BEFORE]] = distinct !{[[BEFORE]], {{![0-9]+}}}
; CHECK: [[BESIDE]] = distinct !{[[BESIDE]], [[FULL]]}
; CHECK: [[DISABLED]] = distinct !{[[DISABLED]], [[DISABLE:![0-9]+]]}
; CHECK: [[DISABLE]] = !{!"llvm.loop.unroll.disable"}
