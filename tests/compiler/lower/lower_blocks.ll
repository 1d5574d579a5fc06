; RUN: split-file %s %t
; RUN: %heddle_opt --passes=lower-blocks %t/blocks.ll | FileCheck %s
; RUN: %heddle_opt --passes=lower-blocks %t/none.ll | FileCheck %s --check-prefix=NONE

; The literal of an enqueued block becomes an argument in constant memory; the function's address in literals is dropped,
; and direct calls stay.
; CHECK: @global_literal = internal addrspace(1) constant { i32, i32, ptr addrspace(4) } { i32 16, i32 8, ptr addrspace(4) addrspacecast (ptr null to ptr addrspace(4)) }
; CHECK-LABEL: define spir_kernel void @caller(
; CHECK: store ptr addrspace(4) addrspacecast (ptr null to ptr addrspace(4)), ptr %literal
; CHECK: call spir_func i32 @__enqueue_kernel_basic({{.*}} @__caller_block_invoke_kernel
; CHECK: call spir_func void @__caller_block_invoke(ptr addrspace(4) null, ptr addrspace(3) null)
; CHECK-LABEL: define internal spir_func void @__caller_block_invoke(ptr addrspace(4) %literal, ptr addrspace(3) %p)
; CHECK-LABEL: define spir_kernel void @__caller_block_invoke_kernel(
; CHECK-SAME: ptr addrspace(2) noalias noundef nonnull readonly align 8 %literal, ptr addrspace(3) align 128 %{{.*}}) #[[BLOCK:[0-9]+]]
; CHECK-NEXT: [[GENERIC:%.*]] = addrspacecast ptr addrspace(2) %literal to ptr addrspace(4)
; CHECK-NEXT: call spir_func void @__caller_block_invoke(ptr addrspace(4) [[GENERIC]], ptr addrspace(3) %{{.*}})
; CHECK: attributes #[[BLOCK]] = { {{.*}}"heddle-block-kernel"
;--- blocks.ll
@global_literal = internal addrspace(1) constant { i32, i32, ptr addrspace(4) } { i32 16, i32 8, ptr addrspace(4) addrspacecast (ptr @__caller_block_invoke to ptr addrspace(4)) }
declare spir_func i32 @__enqueue_kernel_basic(ptr, i32, ptr, ptr addrspace(4), ptr addrspace(4))
define spir_kernel void @caller(ptr %queue, i32 %n) {
  %literal = alloca ptr addrspace(4)
  store ptr addrspace(4) addrspacecast (ptr @__caller_block_invoke to ptr addrspace(4)), ptr %literal
  %r = call spir_func i32 @__enqueue_kernel_basic(ptr %queue, i32 0, ptr null, ptr addrspace(4) addrspacecast (ptr @__caller_block_invoke_kernel to ptr addrspace(4)), ptr addrspace(4) null)
  call spir_func void @__caller_block_invoke(ptr addrspace(4) null, ptr addrspace(3) null)
  ret void
}
define internal spir_func void @__caller_block_invoke(ptr addrspace(4) %literal, ptr addrspace(3) %p) {
  ret void
}
define spir_kernel void @__caller_block_invoke_kernel(ptr addrspace(4) %0, ptr addrspace(3) %1) convergent {
  call spir_func void @__caller_block_invoke(ptr addrspace(4) %0, ptr addrspace(3) %1)
  ret void
}

; A kernel of the program stays as it is.
; NONE-LABEL: define spir_kernel void @plain(ptr addrspace(1) %a, ptr addrspace(3) %b) {
;--- none.ll
define spir_kernel void @plain(ptr addrspace(1) %a, ptr addrspace(3) %b) {
  ret void
}
