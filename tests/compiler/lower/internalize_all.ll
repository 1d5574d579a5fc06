; RUN: %heddle_opt --passes=internalize-all %s | FileCheck %s
; Definitions become internal, whatever their linkage.
; CHECK: @variable = internal global i32 1
@variable = global i32 1
; CHECK: @weak = internal global i32 2
@weak = weak global i32 2
; CHECK: @hidden = internal constant i32 3
@hidden = hidden constant i32 3
; Arrays that the linker joins keep their linkage, and declarations have to stay visible.
; CHECK: @llvm.compiler.used = appending global
@llvm.compiler.used = appending global [1 x ptr] [ptr @variable], section "llvm.metadata"
; CHECK: @declared = external global i32
@declared = external global i32

; CHECK: define internal i32 @defined(
define i32 @defined() {
  %value = load i32, ptr @declared
  call void @elsewhere()
  ret i32 %value
}
; CHECK: define internal void @linked_once(
define linkonce_odr void @linked_once() {
  ret void
}
; CHECK: declare void @elsewhere()
declare void @elsewhere()
