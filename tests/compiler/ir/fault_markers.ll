; RUN: %heddle_opt --passes=lower-fault-markers %s | FileCheck %s
; Markers of the work-item that runs, which may be sunk out of loops and merged until here, become volatile stores.
; CHECK-NOT: @heddle.note(
declare void @heddle.note(i64, ptr)
declare void @heddle.noted(i64, ptr)

; CHECK-LABEL: define void @markers(
; CHECK-NEXT: store volatile i64 %item, ptr %place, align 8
; CHECK-NEXT: store volatile i64 7, ptr %place, align 8
; CHECK-NEXT: call void @heddle.noted(i64 1, ptr %place)
; CHECK-NEXT: store i64 1, ptr %place, align 8
; CHECK-NEXT: ret void
define void @markers(i64 %item, ptr %place) {
  call void @heddle.note(i64 %item, ptr %place)
  call void @heddle.note(i64 7, ptr %place)
  call void @heddle.noted(i64 1, ptr %place)
  store i64 1, ptr %place, align 8
  ret void
}
