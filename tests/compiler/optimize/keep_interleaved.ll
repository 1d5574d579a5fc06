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

; The factor may be an element of a vector that all lanes have.
; CHECK-LABEL: define <4 x float> @element(
; CHECK: loop:
; CHECK: [[SUM:%.*]] = phi <8 x float> [ zeroinitializer, %entry ], [ [[NEXT:%.*]], %loop ]
; CHECK: [[FACTORS:%.*]] = shufflevector <2 x float> %w, <2 x float> {{.*}}, <8 x i32> <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>
; CHECK: [[NEXT]] = call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v, <8 x float> [[FACTORS]], <8 x float> [[SUM]])
define <4 x float> @element(ptr %p, ptr %q, i64 %n) {
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
  %w.at = getelementptr <2 x float>, ptr %q, i64 %i
  %w = load <2 x float>, ptr %w.at
  %all = shufflevector <2 x float> %w, <2 x float> poison, <4 x i32> splat (i32 1)
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

; Each value is looked at once, though there are 2^48 ways to it.
; CHECK-LABEL: define <4 x float> @tangled(
; CHECK-NOT: phi <8 x float>
; CHECK: ret
define <4 x float> @tangled(i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %s0 = phi <4 x float> [ zeroinitializer, %entry ], [ %s24, %loop ]
  %t0 = phi <4 x float> [ zeroinitializer, %entry ], [ %t24, %loop ]
  %m0 = fmul <4 x float> %s0, %t0
  %s1 = fadd <4 x float> %m0, %t0
  %n0 = fmul <4 x float> %t0, %s0
  %t1 = fadd <4 x float> %n0, %s0
  %m1 = fmul <4 x float> %s1, %t1
  %s2 = fadd <4 x float> %m1, %t1
  %n1 = fmul <4 x float> %t1, %s1
  %t2 = fadd <4 x float> %n1, %s1
  %m2 = fmul <4 x float> %s2, %t2
  %s3 = fadd <4 x float> %m2, %t2
  %n2 = fmul <4 x float> %t2, %s2
  %t3 = fadd <4 x float> %n2, %s2
  %m3 = fmul <4 x float> %s3, %t3
  %s4 = fadd <4 x float> %m3, %t3
  %n3 = fmul <4 x float> %t3, %s3
  %t4 = fadd <4 x float> %n3, %s3
  %m4 = fmul <4 x float> %s4, %t4
  %s5 = fadd <4 x float> %m4, %t4
  %n4 = fmul <4 x float> %t4, %s4
  %t5 = fadd <4 x float> %n4, %s4
  %m5 = fmul <4 x float> %s5, %t5
  %s6 = fadd <4 x float> %m5, %t5
  %n5 = fmul <4 x float> %t5, %s5
  %t6 = fadd <4 x float> %n5, %s5
  %m6 = fmul <4 x float> %s6, %t6
  %s7 = fadd <4 x float> %m6, %t6
  %n6 = fmul <4 x float> %t6, %s6
  %t7 = fadd <4 x float> %n6, %s6
  %m7 = fmul <4 x float> %s7, %t7
  %s8 = fadd <4 x float> %m7, %t7
  %n7 = fmul <4 x float> %t7, %s7
  %t8 = fadd <4 x float> %n7, %s7
  %m8 = fmul <4 x float> %s8, %t8
  %s9 = fadd <4 x float> %m8, %t8
  %n8 = fmul <4 x float> %t8, %s8
  %t9 = fadd <4 x float> %n8, %s8
  %m9 = fmul <4 x float> %s9, %t9
  %s10 = fadd <4 x float> %m9, %t9
  %n9 = fmul <4 x float> %t9, %s9
  %t10 = fadd <4 x float> %n9, %s9
  %m10 = fmul <4 x float> %s10, %t10
  %s11 = fadd <4 x float> %m10, %t10
  %n10 = fmul <4 x float> %t10, %s10
  %t11 = fadd <4 x float> %n10, %s10
  %m11 = fmul <4 x float> %s11, %t11
  %s12 = fadd <4 x float> %m11, %t11
  %n11 = fmul <4 x float> %t11, %s11
  %t12 = fadd <4 x float> %n11, %s11
  %m12 = fmul <4 x float> %s12, %t12
  %s13 = fadd <4 x float> %m12, %t12
  %n12 = fmul <4 x float> %t12, %s12
  %t13 = fadd <4 x float> %n12, %s12
  %m13 = fmul <4 x float> %s13, %t13
  %s14 = fadd <4 x float> %m13, %t13
  %n13 = fmul <4 x float> %t13, %s13
  %t14 = fadd <4 x float> %n13, %s13
  %m14 = fmul <4 x float> %s14, %t14
  %s15 = fadd <4 x float> %m14, %t14
  %n14 = fmul <4 x float> %t14, %s14
  %t15 = fadd <4 x float> %n14, %s14
  %m15 = fmul <4 x float> %s15, %t15
  %s16 = fadd <4 x float> %m15, %t15
  %n15 = fmul <4 x float> %t15, %s15
  %t16 = fadd <4 x float> %n15, %s15
  %m16 = fmul <4 x float> %s16, %t16
  %s17 = fadd <4 x float> %m16, %t16
  %n16 = fmul <4 x float> %t16, %s16
  %t17 = fadd <4 x float> %n16, %s16
  %m17 = fmul <4 x float> %s17, %t17
  %s18 = fadd <4 x float> %m17, %t17
  %n17 = fmul <4 x float> %t17, %s17
  %t18 = fadd <4 x float> %n17, %s17
  %m18 = fmul <4 x float> %s18, %t18
  %s19 = fadd <4 x float> %m18, %t18
  %n18 = fmul <4 x float> %t18, %s18
  %t19 = fadd <4 x float> %n18, %s18
  %m19 = fmul <4 x float> %s19, %t19
  %s20 = fadd <4 x float> %m19, %t19
  %n19 = fmul <4 x float> %t19, %s19
  %t20 = fadd <4 x float> %n19, %s19
  %m20 = fmul <4 x float> %s20, %t20
  %s21 = fadd <4 x float> %m20, %t20
  %n20 = fmul <4 x float> %t20, %s20
  %t21 = fadd <4 x float> %n20, %s20
  %m21 = fmul <4 x float> %s21, %t21
  %s22 = fadd <4 x float> %m21, %t21
  %n21 = fmul <4 x float> %t21, %s21
  %t22 = fadd <4 x float> %n21, %s21
  %m22 = fmul <4 x float> %s22, %t22
  %s23 = fadd <4 x float> %m22, %t22
  %n22 = fmul <4 x float> %t22, %s22
  %t23 = fadd <4 x float> %n22, %s22
  %m23 = fmul <4 x float> %s23, %t23
  %s24 = fadd <4 x float> %m23, %t23
  %n23 = fmul <4 x float> %t23, %s23
  %t24 = fadd <4 x float> %n23, %s23
  %i.next = add nuw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %end
end:
  ret <4 x float> %s24
}

; What is only kept for the next iteration: nothing is computed.
; CHECK-LABEL: define <4 x float> @previous(
; CHECK-NOT: phi <8 x float>
; CHECK: ret
define <4 x float> @previous(ptr %p, ptr %q, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %a = phi <4 x float> [ zeroinitializer, %entry ], [ %v0, %loop ]
  %b = phi <4 x float> [ zeroinitializer, %entry ], [ %v1, %loop ]
  %at = getelementptr <8 x float>, ptr %p, i64 %i
  %v = load <8 x float>, ptr %at
  %v0 = shufflevector <8 x float> %v, <8 x float> poison, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
  %v1 = shufflevector <8 x float> %v, <8 x float> poison, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
  %i.next = add nuw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %end
end:
  %sum = fsub <4 x float> %a, %b
  ret <4 x float> %sum
}

; Casts that divide elements: the halves of a component are no neighbors.
; CHECK-LABEL: define <8 x half> @divided(
; CHECK-NOT: phi <16 x half>
; CHECK: ret
define <8 x half> @divided(ptr %p, ptr %q, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %a = phi <8 x half> [ zeroinitializer, %entry ], [ %a.next, %loop ]
  %b = phi <8 x half> [ zeroinitializer, %entry ], [ %b.next, %loop ]
  %at = getelementptr <8 x float>, ptr %p, i64 %i
  %v = load <8 x float>, ptr %at
  %v0 = shufflevector <8 x float> %v, <8 x float> poison, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
  %v1 = shufflevector <8 x float> %v, <8 x float> poison, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
  %h0 = bitcast <4 x float> %v0 to <8 x half>
  %h1 = bitcast <4 x float> %v1 to <8 x half>
  %a.next = fadd <8 x half> %a, %h0
  %b.next = fadd <8 x half> %b, %h1
  %i.next = add nuw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %end
end:
  %sum = fsub <8 x half> %a.next, %b.next
  ret <8 x half> %sum
}

; A value that both components share is computed once.
; CHECK-LABEL: define <4 x float> @shared(
; CHECK: [[FACTOR:%.*]] = fmul <4 x float> %all, %all
; CHECK: fmul <4 x float> %v0, [[FACTOR]]
; CHECK: ret
define <4 x float> @shared(ptr %p, ptr %q, i64 %n) {
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
  %f = fmul <4 x float> %all, %all
  %m0 = fmul <4 x float> %v0, %f
  %m1 = fmul <4 x float> %v1, %f
  %a.next = fadd <4 x float> %a, %m0
  %b.next = fadd <4 x float> %b, %m1
  %i.next = add nuw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %end
end:
  %sum = fsub <4 x float> %a.next, %b.next
  ret <4 x float> %sum
}
