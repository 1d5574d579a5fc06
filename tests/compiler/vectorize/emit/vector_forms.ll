; RUN: %heddle_opt --passes='mark-vector-forms,mark-masked-forms,kernel-body(choose-width,canonicalize,choose-variants,emit-variants),emit-vector-forms' --width=8 %s | FileCheck %s
; Functions of numbers that were not inlined are called once for all lanes; recursive ones once for each active lane.
; masked_forms.ll has those that access memory.

; CHECK-LABEL: define internal float @straight(
; CHECK-SAME: #[[FORM:[0-9]+]]
; CHECK-LABEL: define internal float @reads(float %x) {{.*}}{
; CHECK-LABEL: define internal float @recursive(float %x) {
; CHECK-LABEL: define internal void @k.whole(
; CHECK: call <8 x float> @straight.lanes8(<8 x float> %{{.*}}, <8 x float> %{{.*}})
; CHECK: call <8 x float> @looping.lanes8(<8 x float> %{{.*}})
; CHECK: call <8 x float> @declared.lanes8(<8 x float> %{{.*}})
; CHECK: call <8 x float> @reads.lanes8.v(<8 x float> %{{.*}})
; CHECK: call float @recursive(float %{{.*}})
; CHECK: call float @uniform(float %u)
; Where lanes are inactive, these pass ones; what may not return for them is called for each lane.
; CHECK-LABEL: define internal void @k.tail(
; CHECK: [[X:%.*]] = select <8 x i1> %active{{[0-9]*}}, <8 x float> %{{.*}}, <8 x float> splat (float 1.000000e+00)
; CHECK: call <8 x float> @straight.lanes8(<8 x float> [[X]], <8 x float> %{{.*}})
; CHECK: call float @looping(float %{{.*}})
; CHECK: call <8 x float> @declared.lanes8(<8 x float> %{{.*}})
define void @k.body(ptr %a, float %u, ptr noalias %group, i64 %local_x, i64 %local_y, i64 %local_z) #0 {
  %p = getelementptr inbounds float, ptr %a, i64 %local_x
  %x = load float, ptr %p, align 4
  %v = call float @straight(float %x, float %u)
  %w = call float @looping(float %v)
  %d = call float @declared(float %w)
  %r = call float @reads(float %d)
  %f = call float @recursive(float %r)
  %c = call float @uniform(float %u)
  %s = fadd float %f, %c
  store float %s, ptr %p, align 4
  ret void
}
define internal float @straight(float %x, float %y) {
  %is_large = fcmp ogt float %x, 1.0e+3
  br i1 %is_large, label %large, label %end
large:
  %at = fptosi float %x to i32
  %masked = and i32 %at, 1
  %i = zext i32 %masked to i64
  %p = getelementptr inbounds float, ptr @table, i64 %i
  %t = load float, ptr %p, align 4
  br label %end
end:
  %r = phi float [ %t, %large ], [ %y, %0 ]
  %s = fmul float %r, %x
  ret float %s
}
@table = internal constant [2 x float] [float 1.0, float 2.0]
@variable = internal global float 0.0
define internal float @looping(float %x) {
  br label %loop
loop:
  %v = phi float [ %x, %0 ], [ %half, %loop ]
  %half = fmul float %v, 5.0e-1
  %more = fcmp ogt float %half, 1.0
  br i1 %more, label %loop, label %end
end:
  ret float %half
}
; Its source declares that it returns.
define internal float @declared(float %x) #1 {
  br label %loop
loop:
  %v = phi float [ %x, %0 ], [ %half, %loop ]
  %half = fmul float %v, 2.5e-1
  %more = fcmp ogt float %half, 1.0
  br i1 %more, label %loop, label %end
end:
  ret float %half
}
define internal float @reads(float %x) {
  %v = load float, ptr @variable, align 4
  %s = fadd float %v, %x
  ret float %s
}
define internal float @recursive(float %x) {
  %is_small = fcmp olt float %x, 1.0
  br i1 %is_small, label %end, label %again
again:
  %half = fmul float %x, 5.0e-1
  %r = call float @recursive(float %half)
  br label %end
end:
  %s = phi float [ %x, %0 ], [ %r, %again ]
  ret float %s
}
define internal float @uniform(float %x) {
  %s = fadd float %x, 1.0
  ret float %s
}
; CHECK-LABEL: define internal <8 x float> @straight.lanes8(<8 x float> %0, <8 x float> %1)
; CHECK: fcmp ogt <8 x float>
; CHECK-NOT: call float
; CHECK: fmul <8 x float>
; CHECK: ret <8 x float>
; CHECK-LABEL: define internal <8 x float> @looping.lanes8(<8 x float> %0)
; CHECK-NOT: @straight.items
; CHECK: attributes #[[FORM]] = { {{.*}}willreturn{{.*}}memory(none){{.*}}"heddle-has-vector-form"
attributes #0 = { "heddle-kernel"="k" "heddle-work-item-state" }
attributes #1 = { willreturn memory(none) }
