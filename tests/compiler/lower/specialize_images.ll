; RUN: %heddle_opt --passes=specialize-images %s | FileCheck %s
; Accesses to images are copied for constant samplers and known formats; a format is 48 bytes into the
; descriptor, the size of a texel 52.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

declare i32 @nearest(i32)
declare i32 @linear(i32)

define internal i32 @__heddle_call_image_rare(i32 %coding, i32 %bits) noinline {
  %twice = mul i32 %bits, %coding
  ret i32 %twice
}

define internal i32 @__heddle_image_sample(ptr addrspace(2) %image, i64 %sampler) {
  %at = getelementptr i8, ptr addrspace(2) %image, i64 48
  %format = load i32, ptr addrspace(2) %at, align 4
  %size_at = getelementptr i8, ptr addrspace(2) %image, i64 52
  %size = load i32, ptr addrspace(2) %size_at, align 4
  %filter = and i64 %sampler, 32
  %is_linear = icmp ne i64 %filter, 0
  br i1 %is_linear, label %filtered, label %next
filtered:
  %f = call i32 @linear(i32 %size)
  br label %decode
next:
  %n = call i32 @nearest(i32 %size)
  br label %decode
decode:
  %bits = phi i32 [ %f, %filtered ], [ %n, %next ]
  %value = call i32 @__heddle_call_image_rare(i32 %format, i32 %bits)
  ret i32 %value
}

; OpenCL C's function disappears.
define internal i32 @_Z11read_imagef14ocl_image2d_ro11ocl_sampler(ptr addrspace(2) %image, i64 %sampler) {
  %value = call i32 @__heddle_image_sample(ptr addrspace(2) %image, i64 %sampler)
  ret i32 %value
}

; Neither is known.
; CHECK-LABEL: define i32 @unknown(
; CHECK-NEXT: call i32 @__heddle_image_sample(
define i32 @unknown(ptr addrspace(2) "heddle-image" %image, i64 %sampler) {
  %value = call i32 @_Z11read_imagef14ocl_image2d_ro11ocl_sampler(ptr addrspace(2) %image, i64 %sampler)
  ret i32 %value
}

; CHECK-LABEL: define i32 @literal_sampler(
; CHECK-NEXT: call i32 @[[SAMPLER:heddle.specialized[.0-9]*]](
; CHECK-NEXT: call i32 @[[SAMPLER]](
define i32 @literal_sampler(ptr addrspace(2) "heddle-image" %image) {
  %value = call i32 @_Z11read_imagef14ocl_image2d_ro11ocl_sampler(ptr addrspace(2) %image, i64 36)
  %same = call i32 @_Z11read_imagef14ocl_image2d_ro11ocl_sampler(ptr addrspace(2) %image, i64 36)
  ret i32 %value
}

; 773 is one channel of 32-bit floats (HEDDLE_IMAGE_FORMAT_WORD).
; CHECK-LABEL: define i32 @both(
; CHECK-NEXT: call i32 @[[BOTH:heddle.specialized[.0-9]*]](
define i32 @both(ptr addrspace(2) "heddle-image"="773" %image) {
  %value = call i32 @_Z11read_imagef14ocl_image2d_ro11ocl_sampler(ptr addrspace(2) %image, i64 16)
  ret i32 %value
}

; CHECK: define internal i32 @[[SAMPLER]](
; CHECK-NOT: br
; CHECK-NOT: @nearest
; CHECK: call i32 @linear(i32 %
; CHECK: call i32 @__heddle_call_image_rare(
; CHECK: define internal i32 @[[BOTH]](
; CHECK-NOT: load
; CHECK: [[BITS:%.*]] = call i32 @nearest(i32 4)
; CHECK-NEXT: [[VALUE:%.*]] = mul i32 [[BITS]], 773
; CHECK-NEXT: ret i32 [[VALUE]]
