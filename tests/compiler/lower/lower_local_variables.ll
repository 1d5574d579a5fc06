; RUN: %heddle_opt --passes=allocate-local-variables %s | FileCheck %s
; RUN: %heddle_opt --passes=allocate-local-variables,lower-local-variables %s | FileCheck %s --check-prefix=LOWER
; __local variables get offsets in the group's local memory; of a cache line or more, at the start of a line. The address
; stays a call, which names the variable's size, until async copies have been analyzed.
; CHECK-NOT: addrspace(3) global
; LOWER-NOT: @heddle.local_variable
@one.small = internal addrspace(3) global i32 poison, align 4
@one.large = internal addrspace(3) global [32 x i32] poison, align 4
@two.own = internal addrspace(3) global i64 poison, align 8

; CHECK-LABEL: define void @one.body(
; CHECK-DAG: [[SMALL:%.*]] = call ptr addrspace(3) @heddle.local_variable(ptr %group, i64 0, i64 4)
; CHECK-DAG: [[LARGE:%.*]] = call ptr addrspace(3) @heddle.local_variable(ptr %group, i64 64, i64 128)
; CHECK: store i32 1, ptr addrspace(3) [[SMALL]]
; CHECK-NEXT: store i32 2, ptr addrspace(3) [[LARGE]]
; CHECK-NEXT: store i32 3, ptr addrspace(3) [[LARGE]]
; CHECK-NEXT: ret void
; LOWER-LABEL: define void @one.body(
; LOWER-DAG: [[AT:%.*]] = getelementptr inbounds i8, ptr %group, i64 16
; LOWER-DAG: [[BASE:%.*]] = load ptr addrspace(3), ptr [[AT]], align 8, !align !{{[0-9]+}}
; LOWER-DAG: [[LARGE:%.*]] = getelementptr inbounds i8, ptr addrspace(3) [[BASE]], i64 64
; LOWER: store i32 3, ptr addrspace(3) [[LARGE]]
define void @one.body(ptr %group, i64 %x, i64 %y, i64 %z) #0 {
  store i32 1, ptr addrspace(3) @one.small
  store i32 2, ptr addrspace(3) @one.large
  store i32 3, ptr addrspace(3) @one.large
  ret void
}

; Kernels do not run in the same group: each one's variables start at 0, also those of the functions that it calls.
; CHECK-LABEL: define void @two.body(
; CHECK-NEXT: call void @helper(
; CHECK-NEXT: ret void
define void @two.body(ptr %group, i64 %x, i64 %y, i64 %z) #1 {
  call void @helper(ptr %group, i64 %x, i64 %y, i64 %z)
  ret void
}
; CHECK-LABEL: define internal void @helper(
; CHECK-NEXT: [[OWN:%.*]] = call ptr addrspace(3) @heddle.local_variable(ptr %group, i64 0, i64 8)
; CHECK-NEXT: store i64 1, ptr addrspace(3) [[OWN]]
define internal void @helper(ptr %group, i64 %x, i64 %y, i64 %z) "heddle-work-item-state" {
  store i64 1, ptr addrspace(3) @two.own
  ret void
}
; The calls may be moved and removed.
; CHECK: declare ptr addrspace(3) @heddle.local_variable(ptr, i64, i64) #[[PURE:[0-9]+]]
; CHECK: attributes #[[PURE]] = { nounwind speculatable willreturn memory(none) }
attributes #0 = { "heddle-kernel"="one" "heddle-work-item-state" }
attributes #1 = { "heddle-kernel"="two" "heddle-work-item-state" }
