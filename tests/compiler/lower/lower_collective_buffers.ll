; RUN: %heddle_opt --passes=lower-collective-buffers %s | FileCheck %s
; Collective functions alternate between two buffers. Where a kernel has all of its calls itself, a private variable counts.
; CHECK-NOT: @__heddle_group_turn
declare i32 @__heddle_group_turn(ptr addrspace(3), i1)

; CHECK-LABEL: define void @inlined.body(
; CHECK-NEXT: [[COUNT:%.*]] = alloca i32
; CHECK-NEXT: store i32 0, ptr [[COUNT]]
; CHECK-NEXT: [[FIRST:%.*]] = load i32, ptr [[COUNT]]
; CHECK-NEXT: [[NEXT:%.*]] = xor i32 [[FIRST]], 1
; CHECK-NEXT: store i32 [[NEXT]], ptr [[COUNT]]
; CHECK-NEXT: [[SECOND:%.*]] = load i32, ptr [[COUNT]]
; CHECK: store i32 [[FIRST]], ptr addrspace(1) %out
; CHECK-NEXT: store i32 [[SECOND]], ptr addrspace(1) %out
define void @inlined.body(ptr addrspace(1) %out, ptr addrspace(3) %count) #0 {
  %first = call i32 @__heddle_group_turn(ptr addrspace(3) %count, i1 true)
  %second = call i32 @__heddle_group_turn(ptr addrspace(3) %count, i1 true)
  store i32 %first, ptr addrspace(1) %out
  store i32 %second, ptr addrspace(1) %out
  ret void
}

; A kernel that calls a function with such calls counts in local memory, like that function.
; CHECK-LABEL: define void @calls.body(
; CHECK-NOT: alloca
; CHECK: load i64, ptr addrspace(3) %count, align 8
; CHECK: store i64 %{{.*}}, ptr addrspace(3) %count, align 8
; CHECK: call i32 @helper(
define void @calls.body(ptr addrspace(1) %out, ptr addrspace(3) %count) #1 {
  %first = call i32 @__heddle_group_turn(ptr addrspace(3) %count, i1 true)
  store i32 %first, ptr addrspace(1) %out
  %second = call i32 @helper(ptr addrspace(3) %count, i1 true)
  ret void
}

; The count changes only for one of the work-items.
; CHECK-LABEL: define internal i32 @helper(
; CHECK-NEXT: [[OLD:%.*]] = load i64, ptr addrspace(3) %count, align 8
; CHECK-NEXT: [[BIT:%.*]] = and i64 [[OLD]], 1
; CHECK-NEXT: [[FLIP:%.*]] = zext i1 %flips to i64
; CHECK-NEXT: [[NEW:%.*]] = xor i64 [[BIT]], [[FLIP]]
; CHECK-NEXT: store i64 [[NEW]], ptr addrspace(3) %count, align 8
; CHECK-NEXT: [[INDEX:%.*]] = trunc i64 [[NEW]] to i32
; CHECK-NEXT: ret i32 [[INDEX]]
define internal i32 @helper(ptr addrspace(3) %count, i1 %flips) {
  %index = call i32 @__heddle_group_turn(ptr addrspace(3) %count, i1 %flips)
  ret i32 %index
}
attributes #0 = { "heddle-kernel"="inlined" }
attributes #1 = { "heddle-kernel"="calls" }
