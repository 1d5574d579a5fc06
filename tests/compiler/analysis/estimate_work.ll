; RUN: split-file %s %t
; RUN: %heddle_opt --passes=find-kernels,estimate-work %t/strided.ll | FileCheck %s --check-prefix=STRIDED
; RUN: %heddle_opt --passes=find-kernels,estimate-work %t/memory.ll | FileCheck %s --check-prefix=MEMORY
; RUN: %heddle_opt --passes=find-kernels,estimate-work %t/smaller.ll | FileCheck %s --check-prefix=SMALLER
; RUN: %heddle_opt --passes=find-kernels,estimate-work %t/called.ll | FileCheck %s --check-prefix=CALLED

; Work-item queries move to the start, so that the step of the loop is invariant, and the formula has the id (6) in the
; first dimension (0), the second argument (2, 1) and the global size (3).
; STRIDED: @heddle_work = constant { i64, {{.*}}i64 6, double 0.000000e+00{{.*}}i64 2, double 1.000000e+00
; STRIDED-SAME: i64 3, double 0.000000e+00
; STRIDED-LABEL: define void @strided.body(
; STRIDED-NEXT: %step = call i64 @_Z15get_global_sizej(i32 0)

; The trip count (1: unknown) of a loop whose end is in memory, times its instructions, and those outside of it.
; MEMORY: @heddle_work = constant { i64, {{.*}} } { i64 5, i64 0, double {{.*}}, i64 0, double {{.*}}, i64 1, double {{.*}}, i64 10, double {{.*}}, i64 9, double

; The smaller one (13) of two arguments.
; SMALLER: @heddle_work = {{.*}}i64 2, double 1.000000e+00, i64 2, double 2.000000e+00, i64 13, double

; In a function that is called: its work counts, and the formula has the unknown count, times 0.
; CALLED: @heddle_work = constant { i64, {{.*}} } { i64 5, i64 0, double 1.950000e+02, i64 1, double {{.*}}, i64 0, double 0.000000e+00, i64 10, double {{.*}}, i64 9, double

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
