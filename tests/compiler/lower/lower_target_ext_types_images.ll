; RUN: %heddle_opt --passes=lower-target-ext-types %s | FileCheck %s --implicit-check-not='target(' --implicit-check-not='__heddle_'
; An image is a pointer to its descriptor in constant memory, a sampler a word of 64 bits. What converts them
; is removed.
declare ptr addrspace(2) @_Z25__heddle_image_descriptor14ocl_image2d_ro(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0))
declare i64 @__heddle_sampler_word(target("spirv.Sampler"))
declare target("spirv.Sampler") @__translate_sampler_initializer(i32)
declare void @access(ptr addrspace(2), i64)

; CHECK-LABEL: define spir_kernel void @reads(
; CHECK-SAME: ptr addrspace(2) [[IMAGE:%.*]], i64 [[SAMPLER:%.*]])
; CHECK-NEXT: call void @access(ptr addrspace(2) [[IMAGE]], i64 [[SAMPLER]])
; CHECK-NEXT: ret void
define spir_kernel void @reads(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0) %image, target("spirv.Sampler") %sampler) {
  %descriptor = call ptr addrspace(2) @_Z25__heddle_image_descriptor14ocl_image2d_ro(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0) %image)
  %word = call i64 @__heddle_sampler_word(target("spirv.Sampler") %sampler)
  call void @access(ptr addrspace(2) %descriptor, i64 %word)
  ret void
}

; CHECK-LABEL: define spir_kernel void @literal(
; CHECK-SAME: ptr addrspace(2) [[IMAGE:%.*]])
; CHECK-NEXT: call void @access(ptr addrspace(2) [[IMAGE]], i64 36)
define spir_kernel void @literal(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0) %image) {
  %sampler = call target("spirv.Sampler") @__translate_sampler_initializer(i32 36)
  %descriptor = call ptr addrspace(2) @_Z25__heddle_image_descriptor14ocl_image2d_ro(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0) %image)
  %word = call i64 @__heddle_sampler_word(target("spirv.Sampler") %sampler)
  call void @access(ptr addrspace(2) %descriptor, i64 %word)
  ret void
}
