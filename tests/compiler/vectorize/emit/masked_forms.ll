; REQUIRES: x86
; RUN: %heddle_opt --passes='mark-vector-forms,mark-masked-forms,kernel-body(choose-width,canonicalize,choose-variants,emit-variants),emit-vector-forms' --width=8 %s | FileCheck %s
; Functions that access memory and were not inlined are called once for the active lanes. Their forms take what is the same in all
; lanes, and the first of private variables that are as far apart as they are large.

; CHECK-LABEL: define internal void @k.whole(
; CHECK: call void @update.lanes8.s216.u(ptr %{{.*}}, i32 %n)
; CHECK: call { <8 x float>, <8 x float> } @pair.lanes8.v(<8 x float> %{{.*}})
; The function of the taken branch has a mask.
; CHECK: call void @update.lanes8m.s216.u(ptr %{{.*}}, i32 7, <8 x i1> %{{.*}})
; CHECK: call i64 @waits(
; CHECK-LABEL: define internal void @k.tail(
; CHECK: call void @update.lanes8m.s216.u(ptr %{{.*}}, i32 %n, <8 x i1> %{{.*}})
define void @k.body(ptr %a, i32 %n, ptr noalias %group, i64 %local_x, i64 %local_y, i64 %local_z) #0 {
  %state = alloca [216 x i8], align 8
  %p = getelementptr inbounds float, ptr %a, i64 %local_x
  call void @update(ptr %state, i32 %n)
  %x = load float, ptr %p, align 4
  %v = call <2 x float> @pair(float %x)
  %first = extractelement <2 x float> %v, i32 0
  %second = extractelement <2 x float> %v, i32 1
  %sum = fadd float %first, %second
  %is_large = fcmp ogt float %sum, 1.0e+3
  br i1 %is_large, label %large, label %end
large:
  call void @update(ptr %state, i32 7)
  br label %end
end:
  %w = call i64 @waits(i64 %local_x)
  %s = load float, ptr %state, align 4
  store float %s, ptr %p, align 4
  ret void
}
; Its accesses are 216 bytes apart, and no lane is taken by itself.
; CHECK-LABEL: define internal void @update.lanes8.s216.u(ptr %0, i32 %1)
; CHECK-NOT: call void @update
; CHECK: add <8 x i32>
; CHECK: call void @llvm.masked.scatter.v8i32.v8p0(
define internal void @update(ptr %state, i32 %n) {
  %p = getelementptr inbounds i8, ptr %state, i64 8
  %old = load i32, ptr %p, align 4
  %new = add i32 %old, %n
  store i32 %new, ptr %p, align 4
  ret void
}
@scale = internal global float 2.0
define internal <2 x float> @pair(float %x) {
  %f = load float, ptr @scale, align 4
  %y = fmul float %x, %f
  %v = insertelement <2 x float> poison, float %x, i32 0
  %w = insertelement <2 x float> %v, float %y, i32 1
  ret <2 x float> %w
}
; Recursive functions are called lane by lane.
define internal i64 @waits(i64 %x) {
  %v = load volatile float, ptr @scale, align 4
  %more = icmp ult i64 %x, 4
  br i1 %more, label %again, label %end
again:
  %next = add i64 %x, 1
  %r = call i64 @waits(i64 %next)
  br label %end
end:
  %s = phi i64 [ %x, %0 ], [ %r, %again ]
  ret i64 %s
}
attributes #0 = { "heddle-kernel"="k" "heddle-work-item-state" }
