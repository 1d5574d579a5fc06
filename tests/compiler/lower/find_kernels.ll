; RUN: split-file %s %t
; RUN: %heddle_opt --passes=find-kernels %t/kernels.ll | FileCheck %s
; RUN: not %heddle_opt --passes=find-kernels %t/bad_type.ll 2>&1 | FileCheck %s --check-prefix=BAD

; The body of a kernel is the function that Clang's stub calls; calls of the kernel are calls of the body. Clang puts
; restrict on the stub only.
; CHECK-NOT: spir_
; CHECK-LABEL: define internal void @stub.body(
; CHECK-SAME: ptr addrspace(1) noalias %a, ptr addrspace(1) %b) #[[STUB:[0-9]+]]
; CHECK-NEXT: store i32 1, ptr addrspace(1) %a
; A kernel without a stub is its own body.
; CHECK-LABEL: define void @plain.body(
; CHECK-SAME: i32 %n) #[[PLAIN:[0-9]+]]
; CHECK-NEXT: call void @stub.body(
; CHECK-NEXT: call void @helper()
; Not a stub: the type differs.
; CHECK-LABEL: define void @other.body(
; CHECK-SAME: #[[OTHER:[0-9]+]]
; CHECK-NEXT: ret void
; CHECK-LABEL: define void @__clang_ocl_kern_imp_other(i32 %n)
; CHECK-LABEL: define internal void @helper() {
; CHECK-DAG: attributes #[[STUB]] = { "heddle-kernel"="stub" }
; CHECK-DAG: attributes #[[PLAIN]] = { "heddle-kernel"="plain" }
; CHECK-DAG: attributes #[[OTHER]] = { "heddle-kernel"="other" }
;--- kernels.ll
define spir_kernel void @stub(ptr addrspace(1) noalias %a, ptr addrspace(1) %b) {
  call spir_func void @__clang_ocl_kern_imp_stub(ptr addrspace(1) %a, ptr addrspace(1) %b)
  ret void
}
define internal spir_func void @__clang_ocl_kern_imp_stub(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  store i32 1, ptr addrspace(1) %a
  ret void
}
define spir_kernel void @plain(i32 %n) {
  call spir_func void @__clang_ocl_kern_imp_stub(ptr addrspace(1) null, ptr addrspace(1) null)
  call spir_func void @helper()
  ret void
}
define spir_kernel void @other() {
  ret void
}
define spir_func void @__clang_ocl_kern_imp_other(i32 %n) {
  ret void
}
define internal spir_func void @helper() {
  ret void
}

; BAD: error: kernel 'image': argument 1 ('picture') has type 'image2d_t', which this device does not support
;--- bad_type.ll
define spir_kernel void @image(i32 %n, target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0) %picture) !kernel_arg_name !0 !kernel_arg_type !1 {
  ret void
}
!0 = !{!"n", !"picture"}
!1 = !{!"int", !"image2d_t"}
