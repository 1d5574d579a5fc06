; Programs may not read the cycle counter.
; RUN: %heddle_opt --passes=use-system-counter %s | FileCheck %s

; CHECK-LABEL: define i64 @now(
; CHECK-NEXT: %[[TIME:.*]] = call i64 @llvm.readsteadycounter()
; CHECK-NEXT: ret i64 %[[TIME]]
define i64 @now() {
  %time = call i64 @llvm.readcyclecounter()
  ret i64 %time
}

declare i64 @llvm.readcyclecounter()
