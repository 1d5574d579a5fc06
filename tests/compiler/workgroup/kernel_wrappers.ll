; A kernel that was printed and parsed again gets its arguments from the metadata that Clang attached: the wrapper loads
; them from the launch's packed arguments, each at its alignment.
; RUN: %heddle_opt --passes=make-kernel-wrappers %s | FileCheck %s
; CHECK-LABEL: define internal void @scale(
; CHECK: [[ARGUMENTS:%.*]] = load ptr, ptr %launch
; CHECK: [[DATA:%.*]] = load ptr addrspace(1), ptr [[ARGUMENTS]]
; CHECK: [[PLACE:%.*]] = getelementptr inbounds i8, ptr [[ARGUMENTS]], i64 8
; CHECK: [[BY:%.*]] = load float, ptr [[PLACE]]
; CHECK: call void @scale.body(ptr addrspace(1) [[DATA]], float [[BY]], ptr
define void @scale.body(ptr addrspace(1) %data, float %by, ptr %group, i64 %x, i64 %y, i64 %z) #0 !kernel_arg_name !0 !kernel_arg_type !1 !kernel_arg_base_type !1 !kernel_arg_type_qual !2 !kernel_arg_access_qual !3 {
  %value = load float, ptr addrspace(1) %data
  %scaled = fmul float %value, %by
  store float %scaled, ptr addrspace(1) %data
  ret void
}

attributes #0 = { "heddle-kernel"="scale" }
!0 = !{!"data", !"by"}
!1 = !{!"float*", !"float"}
!2 = !{!"", !""}
!3 = !{!"none", !"none"}
