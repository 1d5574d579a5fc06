; RUN: split-file %s %t
; RUN: %heddle_opt --passes=find-kernels,estimate-work %t/strided.ll | FileCheck %s --check-prefix=STRIDED
; RUN: %heddle_opt --passes=find-kernels,estimate-work %t/memory.ll | FileCheck %s --check-prefix=MEMORY
; RUN: %heddle_opt --passes=find-kernels,estimate-work %t/smaller.ll | FileCheck %s --check-prefix=SMALLER
; RUN: %heddle_opt --passes=find-kernels,estimate-work %t/called.ll | FileCheck %s --check-prefix=CALLED
; RUN: %heddle_opt --passes=find-kernels,estimate-work %t/flops.ll | FileCheck %s --check-prefix=FLOPS

; Work-item queries move to the start, so that the step of the loop is invariant, and the formula has the id (7) in the
; first dimension (0), the second argument (3, 1) and the global size (4).
; STRIDED: @heddle_amounts = constant { i64, {{.*}}i64 7, double 0.000000e+00{{.*}}i64 3, double 1.000000e+00
; STRIDED-SAME: i64 4, double 0.000000e+00
; STRIDED-LABEL: define void @strided.body(
; STRIDED-NEXT: %step = call i64 @_Z15get_global_sizej(i32 0)

; The trip count (2: unknown) of a loop whose end is in memory, times its amounts (1: 4 instructions, no flops, 4 bytes
; read, none written), and those outside of it.
; MEMORY: @heddle_amounts = constant { i64, {{.*}} } { i64 5, i64 1, double {{.*}}, i64 1,
; MEMORY-SAME: double 4.000000e+00, double 0.000000e+00, double 0.000000e+00, double 4.000000e+00, double 0.000000e+00, i64 2, double {{.*}}, i64 11, double {{.*}}, i64 10, double

; The smaller one (14) of two arguments.
; SMALLER: @heddle_amounts = {{.*}}i64 3, double 1.000000e+00, i64 3, double 2.000000e+00, i64 14, double

; In a function that is called: its amounts count, and the formula has the unknown count, times 0.
; CALLED: @heddle_amounts = constant { i64, {{.*}} } { i64 5, i64 1, double 1.950000e+02, double 0.000000e+00, double 0.000000e+00, double 2.560000e+02, double 0.000000e+00, i64 2, double {{.*}}, i64 0, double 0.000000e+00, i64 11, double {{.*}}, i64 10, double

; Flops: one for each component of an addition, two of a fused operation, one of a builtin that stays a call, none of a
; conversion; those on doubles once more. Bytes: of global (1) and constant (2) memory, and not of local (3).
; FLOPS: @heddle_amounts = constant { i64, {{.*}} } { i64 1, i64 1, double {{.*}}, double 1.400000e+01, double 1.000000e+00, double 2.000000e+01, double 1.600000e+01 }

;--- strided.ll
define spir_kernel void @strided(ptr addrspace(1) %a, i64 %n) !kernel_arg_type !0 !kernel_arg_name !1 {
  %first = call i64 @_Z13get_global_idj(i32 0)
  br label %loop
loop:
  %i = phi i64 [ %first, %0 ], [ %next, %loop ]
  %place = getelementptr i32, ptr addrspace(1) %a, i64 %i
  store i32 1, ptr addrspace(1) %place
  %step = call i64 @_Z15get_global_sizej(i32 0)
  %next = add nuw i64 %i, %step
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}
declare i64 @_Z13get_global_idj(i32)
declare i64 @_Z15get_global_sizej(i32)
!0 = !{!"int*", !"ulong"}
!1 = !{!"a", !"n"}

;--- memory.ll
define spir_kernel void @memory(ptr addrspace(1) %a) !kernel_arg_type !0 !kernel_arg_name !1 {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %next = add i32 %i, 1
  %last = load volatile i32, ptr addrspace(1) %a
  %more = icmp ult i32 %next, %last
  br i1 %more, label %loop, label %end
end:
  ret void
}
!0 = !{!"int*"}
!1 = !{!"a"}

;--- called.ll
define spir_kernel void @calls(ptr addrspace(1) %a) !kernel_arg_type !0 !kernel_arg_name !1 {
  call void @wait(ptr addrspace(1) %a)
  ret void
}
define internal void @wait(ptr addrspace(1) %a) {
  br label %loop
loop:
  %last = load volatile i32, ptr addrspace(1) %a
  %more = icmp eq i32 %last, 0
  br i1 %more, label %loop, label %end
end:
  ret void
}
!0 = !{!"int*"}
!1 = !{!"a"}

;--- smaller.ll
define spir_kernel void @smaller(ptr addrspace(1) %a, i32 %n, i32 %m) !kernel_arg_type !0 !kernel_arg_name !1 {
  %end = call i32 @_Z3minii(i32 %n, i32 %m)
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  store volatile i32 1, ptr addrspace(1) %a
  %next = add nuw i32 %i, 1
  %more = icmp ult i32 %next, %end
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
declare i32 @_Z3minii(i32, i32)
!0 = !{!"int*", !"int", !"int"}
!1 = !{!"a", !"n", !"m"}

;--- flops.ll
define spir_kernel void @flops(ptr addrspace(1) %a, ptr addrspace(2) %b, ptr addrspace(3) %c) !kernel_arg_type !0 !kernel_arg_name !1 {
  %x = load <4 x float>, ptr addrspace(1) %a
  %y = load float, ptr addrspace(2) %b
  %z = load float, ptr addrspace(3) %c
  %sum = fadd <4 x float> %x, %x
  %fused = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %sum, <4 x float> %x, <4 x float> %x)
  %sine = call float @_Z3sinf(float %y)
  %wide = fpext float %z to double
  %twice = fadd double %wide, %wide
  store <4 x float> %fused, ptr addrspace(1) %a
  store float %sine, ptr addrspace(3) %c
  ret void
}
declare <4 x float> @llvm.fmuladd.v4f32(<4 x float>, <4 x float>, <4 x float>)
declare float @_Z3sinf(float)
!0 = !{!"float4*", !"float*", !"float*"}
!1 = !{!"a", !"b", !"c"}
