; RUN: %heddle_opt --passes=fold-image-descriptors %s | FileCheck %s
; Loads from the descriptors of kernels' images.

; CHECK-LABEL: define i32 @known(
; CHECK: [[WIDTH:%.*]] = load i32, ptr addrspace(2) %width.at, align 4, !invariant.load
; CHECK: [[SUM:%.*]] = add i32 773, [[WIDTH]]
; CHECK-NEXT: add i32 [[SUM]], 4
define i32 @known(ptr addrspace(2) "heddle-image"="773" %image) {
  %format.at = getelementptr i8, ptr addrspace(2) %image, i64 48
  %format = load i32, ptr addrspace(2) %format.at, align 4
  %width.at = getelementptr i8, ptr addrspace(2) %image, i64 8
  %width = load i32, ptr addrspace(2) %width.at, align 4
  %size.at = getelementptr i8, ptr addrspace(2) %format.at, i64 4
  %size = load i32, ptr addrspace(2) %size.at, align 4
  %sum = add i32 %format, %width
  %all = add i32 %sum, %size
  ret i32 %all
}

; CHECK-LABEL: define i32 @unknown(
; CHECK: load i32, ptr addrspace(2) %format.at, align 4, !invariant.load
define i32 @unknown(ptr addrspace(2) "heddle-image" %image) {
  %format.at = getelementptr i8, ptr addrspace(2) %image, i64 48
  %format = load i32, ptr addrspace(2) %format.at, align 4
  ret i32 %format
}

; Other constant memory, which a kernel may also have as global memory.
; CHECK-LABEL: define i32 @buffer(
; CHECK: load i32, ptr addrspace(2) %at, align 4
; CHECK-NOT: !invariant.load
define i32 @buffer(ptr addrspace(2) %memory) {
  %at = getelementptr i8, ptr addrspace(2) %memory, i64 48
  %value = load i32, ptr addrspace(2) %at, align 4
  ret i32 %value
}
