; RUN: %heddle_opt --passes=keep-interleaved %s | FileCheck %s
; Sums of interleaved components stay interleaved in a loop.

; CHECK-LABEL: define <4 x float> @two(
; CHECK: loop:
; CHECK: [[SUM:%.*]] = phi <8 x float> [ zeroinitializer, %entry ], [ [[NEXT:%.*]], %loop ]
; CHECK: [[WEIGHTS:%.*]] = shufflevector <8 x float> {{.*}} zeroinitializer
; CHECK: [[NEXT]] = call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v, <8 x float> [[WEIGHTS]], <8 x float> [[SUM]])
; CHECK: end:
; CHECK: [[LAST:%.*]] = phi <8 x float> [ [[NEXT]], %loop ]
; CHECK-DAG: shufflevector <8 x float> [[LAST]], <8 x float> poison, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
; CHECK-DAG: shufflevector <8 x float> [[LAST]], <8 x float> poison, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
; CHECK: ret
define <4 x float> @two(ptr %p, ptr %q, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %a = phi <4 x float> [ zeroinitializer, %entry ], [ %a.next, %loop ]
  %b = phi <4 x float> [ zeroinitializer, %entry ], [ %b.next, %loop ]
  %at = getelementptr <8 x float>, ptr %p, i64 %i
  %v = load <8 x float>, ptr %at
  %v0 = shufflevector <8 x float> %v, <8 x float> poison, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
  %v1 = shufflevector <8 x float> %v, <8 x float> poison, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
  %w.at = getelementptr float, ptr %q, i64 %i
  %w = load float, ptr %w.at
  %one = insertelement <4 x float> poison, float %w, i64 0
  %all = shufflevector <4 x float> %one, <4 x float> poison, <4 x i32> zeroinitializer
  %a.next = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %v0, <4 x float> %all, <4 x float> %a)
  %b.next = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %v1, <4 x float> %all, <4 x float> %b)
  %i.next = add nuw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %end
end:
  %sum = fsub <4 x float> %a.next, %b.next
  ret <4 x float> %sum
}

; Factors and first values that differ by component are interleaved before the loop; bytes are converted interleaved.
; CHECK-LABEL: define <4 x i32> @pixels(
; CHECK: entry:
; CHECK: [[FACTORS:%.*]] = shufflevector <8 x i32> {{.*}}, <8 x i32> {{.*}}, <8 x i32> <i32 0, i32 4, i32 1, i32 5, i32 2, i32 6, i32 3, i32 7>
; CHECK: loop:
; CHECK: zext <8 x i8> %v to <8 x i32>
; CHECK: mul nuw <8 x i32> %{{.*}}, [[FACTORS]]
; CHECK: add <8 x i32>
; CHECK: end:
define <4 x i32> @pixels(ptr %p, i64 %n, <4 x i32> %x, <4 x i32> %f0, <4 x i32> %f1) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %a = phi <4 x i32> [ %x, %entry ], [ %a.next, %loop ]
  %b = phi <4 x i32> [ splat (i32 2), %entry ], [ %b.next, %loop ]
  %at = getelementptr <8 x i8>, ptr %p, i64 %i
  %v = load <8 x i8>, ptr %at
  %v0 = shufflevector <8 x i8> %v, <8 x i8> poison, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
  %v1 = shufflevector <8 x i8> %v, <8 x i8> poison, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
  %n0 = zext <4 x i8> %v0 to <4 x i32>
  %n1 = zext <4 x i8> %v1 to <4 x i32>
  %m0 = mul nuw nsw <4 x i32> %n0, %f0
  %m1 = mul nuw <4 x i32> %n1, %f1
  %a.next = add <4 x i32> %a, %m0
  %b.next = add <4 x i32> %b, %m1
  %i.next = add nuw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %end
end:
  %sum = sub <4 x i32> %a.next, %b.next
  ret <4 x i32> %sum
}

; A component that is used otherwise in the loop is taken apart anyway.
; CHECK-LABEL: define <4 x i32> @used(
; CHECK-NOT: phi <8 x i32>
; CHECK: ret
define <4 x i32> @used(ptr %p, ptr %q, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %a = phi <4 x i32> [ zeroinitializer, %entry ], [ %a.next, %loop ]
  %b = phi <4 x i32> [ zeroinitializer, %entry ], [ %b.next, %loop ]
  %at = getelementptr <8 x i32>, ptr %p, i64 %i
  %v = load <8 x i32>, ptr %at
  %v0 = shufflevector <8 x i32> %v, <8 x i32> poison, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
  %v1 = shufflevector <8 x i32> %v, <8 x i32> poison, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
  %a.next = add <4 x i32> %a, %v0
  %b.next = add <4 x i32> %b, %v1
  %to = getelementptr <4 x i32>, ptr %q, i64 %i
  store <4 x i32> %a.next, ptr %to
  %i.next = add nuw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %end
end:
  %sum = sub <4 x i32> %a.next, %b.next
  ret <4 x i32> %sum
}

; Components that are treated differently.
; CHECK-LABEL: define <4 x i32> @different(
; CHECK-NOT: phi <8 x i32>
; CHECK: ret
define <4 x i32> @different(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %a = phi <4 x i32> [ zeroinitializer, %entry ], [ %a.next, %loop ]
  %b = phi <4 x i32> [ zeroinitializer, %entry ], [ %b.next, %loop ]
  %at = getelementptr <8 x i32>, ptr %p, i64 %i
  %v = load <8 x i32>, ptr %at
  %v0 = shufflevector <8 x i32> %v, <8 x i32> poison, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
  %v1 = shufflevector <8 x i32> %v, <8 x i32> poison, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
  %a.next = add <4 x i32> %a, %v0
  %b.next = xor <4 x i32> %b, %v1
  %i.next = add nuw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %end
end:
  %sum = sub <4 x i32> %a.next, %b.next
  ret <4 x i32> %sum
}

; Components that add each other's values.
; CHECK-LABEL: define <4 x i32> @crossed(
; CHECK-NOT: phi <8 x i32>
; CHECK: ret
define <4 x i32> @crossed(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %a = phi <4 x i32> [ zeroinitializer, %entry ], [ %a.next, %loop ]
  %b = phi <4 x i32> [ zeroinitializer, %entry ], [ %b.next, %loop ]
  %at = getelementptr <8 x i32>, ptr %p, i64 %i
  %v = load <8 x i32>, ptr %at
  %v0 = shufflevector <8 x i32> %v, <8 x i32> poison, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
  %v1 = shufflevector <8 x i32> %v, <8 x i32> poison, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
  %a.next = add <4 x i32> %b, %v0
  %b.next = add <4 x i32> %a, %v1
  %i.next = add nuw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %end
end:
  %sum = sub <4 x i32> %a.next, %b.next
  ret <4 x i32> %sum
}
