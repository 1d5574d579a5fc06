; RUN: %heddle_opt --passes=check-accesses %s | FileCheck %s

; A check before each access of memory that the host gives: its kind, its place, the pointer and the bytes.
; CHECK-LABEL: define void @accesses(
; CHECK-NEXT: call void (i32, ptr, ...) @__heddle_check(i32 21, ptr @heddle.place{{.*}}, ptr addrspace(1) %in, i64 12, i64 16)
; CHECK-NEXT: load <3 x float>, ptr addrspace(1) %in
; CHECK-NEXT: call void (i32, ptr, ...) @__heddle_check(i32 22, ptr @heddle.place{{.*}}, ptr addrspace(1) %out, i64 2, i64 2)
; CHECK-NEXT: store i16
; CHECK-NEXT: %count = getelementptr
; CHECK-NEXT: call void (i32, ptr, ...) @__heddle_check(i32 23, ptr @heddle.place{{.*}}, ptr addrspace(1) %count, i64 4, i64 4)
; CHECK-NEXT: atomicrmw add
; CHECK-NEXT: call void (i32, ptr, ...) @__heddle_check(i32 21, ptr @heddle.place{{.*}}, ptr addrspace(2) %table, i64 8, i64 8)
; CHECK-NEXT: load i64, ptr addrspace(2) %table
; CHECK-NEXT: call void (i32, ptr, ...) @__heddle_check(i32 22, ptr @heddle.place{{.*}}, ptr addrspace(3) %tile, i64 4, i64 4)
; CHECK-NEXT: store i32 1, ptr addrspace(3) %tile
; CHECK-NEXT: ret void
define void @accesses(ptr addrspace(1) %in, ptr addrspace(1) %out, ptr addrspace(2) %table, ptr addrspace(3) %tile, ptr %group, i64 %x, i64 %y, i64 %z) #0 {
  %a = load <3 x float>, ptr addrspace(1) %in
  store i16 1, ptr addrspace(1) %out
  %count = getelementptr i8, ptr addrspace(1) %out, i64 4
  %b = atomicrmw add ptr addrspace(1) %count, i32 1 monotonic
  %c = load i64, ptr addrspace(2) %table, align 8
  store i32 1, ptr addrspace(3) %tile
  ret void
}
; A copy is checked on both sides, however long it is.
; CHECK-LABEL: define void @copy(
; CHECK-NEXT: call void (i32, ptr, ...) @__heddle_check(i32 21, ptr {{.*}}, ptr addrspace(1) %in, i64 %n, i64 4)
; CHECK-NEXT: call void (i32, ptr, ...) @__heddle_check(i32 22, ptr {{.*}}, ptr addrspace(1) %out, i64 %n, i64 16)
; CHECK-NEXT: call void @llvm.memcpy
define void @copy(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n, ptr %group, i64 %x, i64 %y, i64 %z) #0 {
  call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) align 16 %out, ptr addrspace(1) align 4 %in, i64 %n, i1 false)
  ret void
}
; What has been checked on the way is not checked again, unless more bytes or more alignment are needed.
; CHECK-LABEL: define void @again(
; CHECK-NEXT: @__heddle_check(i32 21, {{.*}}, i64 4, i64 4)
; CHECK-NEXT: load
; CHECK-NEXT: store
; CHECK-NEXT: @__heddle_check(i32 21, {{.*}}, i64 8, i64 8)
; CHECK-NEXT: load
; CHECK-NEXT: @__heddle_check(i32 21, {{.*}}, i64 4, i64 16)
; CHECK-NEXT: load
; CHECK-NEXT: br
; CHECK: then:
; CHECK-NEXT: load
; CHECK-NEXT: @__heddle_check(i32 21, {{.*}} %q, i64 4, i64 4)
; CHECK: next:
; CHECK-NEXT: load
; CHECK-NEXT: @__heddle_check(i32 21, {{.*}} %q, i64 4, i64 4)
define void @again(ptr addrspace(1) %p, ptr addrspace(1) %q, i1 %c, ptr %group, i64 %x, i64 %y, i64 %z) #0 {
  %a = load i32, ptr addrspace(1) %p
  store i32 2, ptr addrspace(1) %p
  %b = load i64, ptr addrspace(1) %p, align 8
  %d = load i32, ptr addrspace(1) %p, align 16
  br i1 %c, label %then, label %next
then:
  %e = load i32, ptr addrspace(1) %p
  %f = load i32, ptr addrspace(1) %q
  br label %next
next:
  %g = load i32, ptr addrspace(1) %p
  %h = load i32, ptr addrspace(1) %q
  ret void
}
; Of variables and local memory that is no argument's only the alignment is checked, if it is not known; private memory
; is left out, and functions that cannot reach the worker.
; CHECK-LABEL: define void @others(
; CHECK-NOT: @__heddle_check
; CHECK: @__heddle_check(i32 22, ptr {{.*}}, ptr addrspace(3) %tile, i64 0, i64 4)
; CHECK-NEXT: store i32 1, ptr addrspace(3) %tile
; CHECK-NOT: @__heddle_check
; CHECK-LABEL: define void @helper(
; CHECK-NEXT: load
@constants = internal addrspace(2) constant [4 x i32] zeroinitializer
define void @others(ptr %group, i64 %x, i64 %y, i64 %z) #0 {
  %private = alloca i32
  store i32 1, ptr %private
  %at = getelementptr i32, ptr addrspace(2) @constants, i64 %x
  %a = load i32, ptr addrspace(2) %at
  %tile = inttoptr i64 %y to ptr addrspace(3)
  store i32 1, ptr addrspace(3) %tile
  %b = load i64, ptr %group
  ret void
}
define void @helper(ptr addrspace(1) %p) {
  %a = load i32, ptr addrspace(1) %p
  ret void
}
declare void @llvm.memcpy.p1.p1.i64(ptr addrspace(1), ptr addrspace(1), i64, i1)
attributes #0 = { "heddle-work-item-state" }
