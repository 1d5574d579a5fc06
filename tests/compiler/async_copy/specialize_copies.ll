; REQUIRES: x86
; RUN: %heddle_opt --passes=specialize-copies --cpu=x86-64-v4 %s | FileCheck %s
; RUN: %heddle_opt --passes=specialize-copies --cpu=x86-64-v3 %s | FileCheck %s --check-prefix=V3
; The library's copies are cloned for constant strides, and the functions that they ask are answered.
declare i1 @__heddle_copy_is_known(i64)
declare i1 @__heddle_copy_has_masks()
declare i1 @__heddle_copy_collects_1(i64)
declare i1 @__heddle_copy_spreads_4(i64)
declare <16 x i32> @__heddle_copy_gather_4(ptr, <16 x i32>)
declare i64 @__heddle_copy_ahead(i64, i64, i64)
declare void @__heddle_copy_fetch(ptr, i64, i64, i64)

define internal void @__heddle_call_once_copy_strided_4(ptr %to, ptr %from, i64 %count, i64 %to_step, i64 %from_step) {
  %is_constant = call i1 @__heddle_copy_is_known(i64 %from_step)
  store i1 %is_constant, ptr %to
  ret void
}

; Calls with the same constants share a clone, in which the arguments are replaced. Without constant
; strides the library's function is called, which is told that.
; CHECK-LABEL: define internal void @__heddle_call_once_copy_strided_4(
; CHECK-NEXT: store i1 false, ptr %to
; CHECK-LABEL: define void @strided(
; CHECK-NEXT: call void @[[CLONE:__heddle_copy_elements[.0-9]*]](ptr %to, ptr %from, i64 %count, i64 4, i64 12)
; CHECK-NEXT: call void @[[CLONE]](ptr %from, ptr %to, i64 %count, i64 4, i64 12)
; CHECK-NEXT: call void @[[OTHER:__heddle_copy_elements[.0-9]*]](ptr %to, ptr %from, i64 %count, i64 4, i64 16)
; CHECK-NEXT: call void @__heddle_call_once_copy_strided_4(ptr %to, ptr %from, i64 %count, i64 4, i64 %step)
define void @strided(ptr %to, ptr %from, i64 %count, i64 %step) {
  call void @__heddle_call_once_copy_strided_4(ptr %to, ptr %from, i64 %count, i64 4, i64 12)
  call void @__heddle_call_once_copy_strided_4(ptr %from, ptr %to, i64 %count, i64 4, i64 12)
  call void @__heddle_call_once_copy_strided_4(ptr %to, ptr %from, i64 %count, i64 4, i64 16)
  call void @__heddle_call_once_copy_strided_4(ptr %to, ptr %from, i64 %count, i64 4, i64 %step)
  ret void
}

; Whether the CPU has masks, and at which strides full vectors are the fastest way.
; CHECK-LABEL: define void @ways(
; CHECK-NEXT: store volatile i1 true, ptr %to
; CHECK-NEXT: store volatile i1 {{true|false}}, ptr %to
; CHECK-NEXT: store volatile i1 true, ptr %to
; CHECK-NEXT: store volatile i1 false, ptr %to
; V3-LABEL: define void @ways(
; V3-NEXT: store volatile i1 false, ptr %to
; V3-NEXT: store volatile i1 false, ptr %to
; V3-NEXT: store volatile i1 false, ptr %to
; V3-NEXT: store volatile i1 false, ptr %to
define void @ways(ptr %to, i64 %step) {
  %masks = call i1 @__heddle_copy_has_masks()
  store volatile i1 %masks, ptr %to
  %bytes = call i1 @__heddle_copy_collects_1(i64 6)
  store volatile i1 %bytes, ptr %to
  %near = call i1 @__heddle_copy_spreads_4(i64 12)
  store volatile i1 %near, ptr %to
  %unknown = call i1 @__heddle_copy_spreads_4(i64 %step)
  store volatile i1 %unknown, ptr %to
  ret void
}

; CHECK-LABEL: define void @gathers(
; CHECK: [[ADDRESSES:%.*]] = getelementptr i8, ptr %from, <16 x i32> %offsets
; CHECK-NEXT: call <16 x i32> @llvm.masked.gather{{.*}}[[ADDRESSES]]
define void @gathers(ptr %to, ptr %from, <16 x i32> %offsets) {
  %values = call <16 x i32> @__heddle_copy_gather_4(ptr %from, <16 x i32> %offsets)
  store <16 x i32> %values, ptr %to
  ret void
}

; Prefetching pays for strides of at least four elements in large copies.
; CHECK-LABEL: define void @distances(
; CHECK-NEXT: store volatile i64 2048, ptr %to
; CHECK-NEXT: store volatile i64 0, ptr %to
; CHECK-NEXT: store volatile i64 0, ptr %to
; CHECK: getelementptr i8, ptr %to, i64 2048
; CHECK-NEXT: call void @llvm.prefetch
; CHECK-NEXT: getelementptr i8, ptr %to, i64 2112
; CHECK-NEXT: call void @llvm.prefetch
; CHECK-NEXT: ret void
define void @distances(ptr %to, i64 %count) {
  %large = call i64 @__heddle_copy_ahead(i64 4, i64 16, i64 4096)
  store volatile i64 %large, ptr %to
  %small = call i64 @__heddle_copy_ahead(i64 4, i64 16, i64 64)
  store volatile i64 %small, ptr %to
  %unknown = call i64 @__heddle_copy_ahead(i64 4, i64 16, i64 %count)
  store volatile i64 %unknown, ptr %to
  call void @__heddle_copy_fetch(ptr %to, i64 2048, i64 16, i64 8)
  call void @__heddle_copy_fetch(ptr %to, i64 0, i64 16, i64 8)
  ret void
}

; CHECK: define internal void @[[CLONE]](
; CHECK-NEXT: store i1 true, ptr %to
