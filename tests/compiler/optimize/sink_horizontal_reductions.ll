; RUN: %heddle_opt --passes=sink-horizontal-reductions %s | FileCheck %s
; A loop that adds a reduced vector to a sum in each iteration keeps a vector of sums, which is reduced once after the loop.

; CHECK-LABEL: define i32 @integers(
; CHECK: loop:
; CHECK: [[SUMS:%.*]] = phi <8 x i32> [ <i32 7, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>, %entry ], [ [[NEXT:%.*]], %loop ]
; CHECK: [[NEXT]] = add <8 x i32> [[SUMS]], %v
; CHECK: end:
; CHECK: [[LAST:%.*]] = phi <8 x i32> [ [[NEXT]], %loop ]
; CHECK: [[TOTAL:%.*]] = call i32 @llvm.vector.reduce.add.v8i32(<8 x i32> [[LAST]])
; CHECK: ret i32 [[TOTAL]]
define i32 @integers(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %sum = phi i32 [ 7, %entry ], [ %next, %loop ]
  %at = getelementptr <8 x i32>, ptr %p, i64 %i
  %v = load <8 x i32>, ptr %at
  %all = call i32 @llvm.vector.reduce.add.v8i32(<8 x i32> %v)
  %next = add i32 %sum, %all
  %i.next = add nuw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %end
end:
  ret i32 %next
}

; Sums of floats, where they may be reassociated.
; CHECK-LABEL: define float @floats(
; CHECK: phi <8 x float> [ <float 0.000000e+00, float -0.000000e+00,
; CHECK: fadd reassoc <8 x float>
; CHECK: end:
; CHECK: call reassoc float @llvm.vector.reduce.fadd.v8f32(float -0.000000e+00, <8 x float> %
define float @floats(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %next, %loop ]
  %at = getelementptr <8 x float>, ptr %p, i64 %i
  %v = load <8 x float>, ptr %at
  %all = call reassoc float @llvm.vector.reduce.fadd.v8f32(float -0.0, <8 x float> %v)
  %next = fadd reassoc float %sum, %all
  %i.next = add nuw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %end
end:
  ret float %next
}

; Other lanes begin with the identity of the operation.
; CHECK-LABEL: define i32 @maximum(
; CHECK: phi <8 x i32> [ <i32 7, i32 -2147483648, i32 -2147483648,
; CHECK: call <8 x i32> @llvm.smax.v8i32(
; CHECK: end:
; CHECK: call i32 @llvm.vector.reduce.smax.v8i32(
define i32 @maximum(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %sum = phi i32 [ 7, %entry ], [ %next, %loop ]
  %at = getelementptr <8 x i32>, ptr %p, i64 %i
  %v = load <8 x i32>, ptr %at
  %all = call i32 @llvm.vector.reduce.smax.v8i32(<8 x i32> %v)
  %next = call i32 @llvm.smax.i32(i32 %sum, i32 %all)
  %i.next = add nuw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %end
end:
  ret i32 %next
}

; Not where additions have an order,
; CHECK-LABEL: define float @in_order(
; CHECK-NOT: phi <8 x
; CHECK: ret float
define float @in_order(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %next, %loop ]
  %at = getelementptr <8 x float>, ptr %p, i64 %i
  %v = load <8 x float>, ptr %at
  %all = call float @llvm.vector.reduce.fadd.v8f32(float -0.0, <8 x float> %v)
  %next = fadd float %sum, %all
  %i.next = add nuw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %end
end:
  ret float %next
}

; the reduction has a start value,
; CHECK-LABEL: define float @start(
; CHECK-NOT: phi <8 x
; CHECK: ret float
define float @start(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %next, %loop ]
  %at = getelementptr <8 x float>, ptr %p, i64 %i
  %v = load <8 x float>, ptr %at
  %all = call reassoc float @llvm.vector.reduce.fadd.v8f32(float 1.0, <8 x float> %v)
  %next = fadd reassoc float %sum, %all
  %i.next = add nuw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %end
end:
  ret float %next
}

; the operations differ,
; CHECK-LABEL: define i32 @mixed(
; CHECK-NOT: phi <8 x
; CHECK: ret i32
define i32 @mixed(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr <8 x i32>, ptr %p, i64 %i
  %v = load <8 x i32>, ptr %at
  %all = call i32 @llvm.vector.reduce.smax.v8i32(<8 x i32> %v)
  %next = add i32 %sum, %all
  %i.next = add nuw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %end
end:
  ret i32 %next
}

; each iteration needs the sum,
; CHECK-LABEL: define i32 @sum_used(
; CHECK-NOT: phi <8 x
; CHECK: ret i32
define i32 @sum_used(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr <8 x i32>, ptr %p, i64 %i
  %v = load <8 x i32>, ptr %at
  %all = call i32 @llvm.vector.reduce.add.v8i32(<8 x i32> %v)
  %next = add i32 %sum, %all
  store i32 %next, ptr %p
  %i.next = add nuw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %end
end:
  ret i32 %next
}

; or the reduced value.
; CHECK-LABEL: define i32 @reduction_used(
; CHECK-NOT: phi <8 x
; CHECK: ret i32
define i32 @reduction_used(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr <8 x i32>, ptr %p, i64 %i
  %v = load <8 x i32>, ptr %at
  %all = call i32 @llvm.vector.reduce.add.v8i32(<8 x i32> %v)
  %next = add i32 %sum, %all
  store i32 %all, ptr %p
  %i.next = add nuw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %end
end:
  ret i32 %next
}
