; RUN: %heddle_opt --passes=zero-private %s | FileCheck %s

; Each variable is zero where its lifetime begins, in a loop each time,
; CHECK-LABEL: define void @scoped(
; CHECK: loop:
; CHECK-NEXT: call void @llvm.lifetime.start.p0(ptr %array)
; CHECK-NEXT: call void @llvm.memset.p0.i64(ptr align 4 %array, i8 0, i64 40, i1 false)
; CHECK-NEXT: load
define void @scoped(i1 %more) {
  %array = alloca [10 x i32], align 4
  br label %loop
loop:
  call void @llvm.lifetime.start.p0(ptr %array)
  %a = load i32, ptr %array
  call void @llvm.lifetime.end.p0(ptr %array)
  br i1 %more, label %loop, label %out
out:
  ret void
}
; or where the function begins.
; CHECK-LABEL: define i64 @plain(
; CHECK-NEXT: %a = alloca i64, align 8
; CHECK-NEXT: call void @llvm.memset.p0.i64(ptr align 8 %a, i8 0, i64 8, i1 false)
; CHECK-NEXT: load
define i64 @plain() {
  %a = alloca i64, align 8
  %v = load i64, ptr %a
  ret i64 %v
}
declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.lifetime.end.p0(ptr)
