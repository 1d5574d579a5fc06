; RUN: %heddle_opt --passes='avoid-gathers,function(loop-vectorize)' --cpu=znver4 %s | FileCheck %s
; RUN: %heddle_opt --passes='function(loop-vectorize)' --cpu=znver4 %s | FileCheck %s --check-prefix=LLVM
; LLVM's loop vectorizer would take gathers and scatters for no slower than loads and stores.

; LLVM: call {{.*}}@llvm.masked.gather
; LLVM: call {{.*}}@llvm.masked.scatter
; CHECK: define void @strided({{.*}} [[SCALAR:#[0-9]+]] {
; CHECK-NOT: masked.gather
; CHECK-NOT: masked.scatter
; CHECK: define void @vectorized({{.*}} [[VECTORIZED:#[0-9]+]] {
; CHECK: attributes [[SCALAR]] = {{.*}}+prefer-no-gather,+prefer-no-scatter
; CHECK: attributes [[VECTORIZED]] = { "heddle-vectorized" }

define void @strided(ptr noalias %to, ptr noalias %from, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %place = mul nuw nsw i64 %i, 25
  %source = getelementptr inbounds double, ptr %from, i64 %place
  %x = load double, ptr %source, align 8
  %a = fmul double %x, %x
  %b = fadd double %a, 3.0
  %c = fmul double %b, %a
  %d = fadd double %c, %x
  %e = fdiv double %d, %b
  %target = getelementptr inbounds double, ptr %to, i64 %place
  store double %e, ptr %target, align 8
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

define void @vectorized() "heddle-vectorized" {
  ret void
}
