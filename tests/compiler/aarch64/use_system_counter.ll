; Programs may not read the cycle counter.
; RUN: %heddle_opt --passes=use-system-counter %s | FileCheck %s

; CHECK-LABEL: define i64 @now(
; CHECK-NEXT: %[[TIME:.*]] = call i64 @llvm.read_volatile_register.i64(metadata ![[NAME:[0-9]+]])
; CHECK-NEXT: ret i64 %[[TIME]]
define i64 @now() {
  %time = call i64 @llvm.readcyclecounter()
  ret i64 %time
}

; CHECK: ![[NAME]] = !{!"CNTVCT_EL0"}
declare i64 @llvm.readcyclecounter()
