; RUN: %heddle_opt --check=race --passes=skip-ordered-checks %s | FileCheck %s

; Only reads, and only writes of bytes of the work-item's own: a second kernel, and a condition on the launch.
; CHECK-LABEL: define void @own.body(
; CHECK: call {{.*}}@__heddle_check(i32 26,
; CHECK: call {{.*}}@__heddle_check(i32 27,
; CHECK-LABEL: define void @scattered.body(
; The store may be anywhere; the load may not race with anything, if no arguments overlap.
; CHECK: %may_race
; CHECK: br i1 %may_race, label %[[THEN:[^,]*]],
; CHECK: [[THEN]]:
; CHECK-NEXT: call {{.*}}@__heddle_check(i32 26,
; CHECK: load i64, ptr addrspace(1) %in
; CHECK-NOT: br
; CHECK: call {{.*}}@__heddle_check(i32 27,
; CHECK-LABEL: define void @unknown.body(
; CHECK-NOT: br
; CHECK: ret void
; CHECK-LABEL: define internal i1 @own.order_condition(
; CHECK: icmp eq i64 %{{.*}}, 0
; CHECK: ret i1
; CHECK-LABEL: define void @own.body.unchecked(
; CHECK-NOT: __heddle_check
; CHECK: store i32
; CHECK: ret void
define void @own.body(ptr addrspace(1) %in, ptr addrspace(1) %out, ptr %group, i64 %x, i64 %y, i64 %z) #0 {
  %launch = load ptr, ptr %group, align 8
  %size.at = getelementptr inbounds i8, ptr %launch, i64 72
  %size = load i64, ptr %size.at, align 8
  %id.at = getelementptr inbounds i8, ptr %group, i64 24
  %id = load i64, ptr %id.at, align 8
  %begin = mul i64 %id, %size
  %offset.at = getelementptr inbounds i8, ptr %launch, i64 48
  %offset = load i64, ptr %offset.at, align 8
  %sum = add i64 %begin, %offset
  %global = add i64 %sum, %x
  call void (i32, ptr, ...) @__heddle_check(i32 26, ptr @place, ptr addrspace(1) %in, i64 4)
  %a = load i32, ptr addrspace(1) %in, align 4
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %global
  call void (i32, ptr, ...) @__heddle_check(i32 27, ptr @place, ptr addrspace(1) %to, i64 4, i64 0, i64 0)
  store i32 %a, ptr addrspace(1) %to, align 4
  ret void
}
define void @scattered.body(ptr addrspace(1) %in, ptr addrspace(1) %out, ptr %group, i64 %x, i64 %y, i64 %z) #1 {
  call void (i32, ptr, ...) @__heddle_check(i32 26, ptr @place, ptr addrspace(1) %in, i64 8)
  %a = load i64, ptr addrspace(1) %in, align 8
  %to = getelementptr i64, ptr addrspace(1) %out, i64 %a
  call void (i32, ptr, ...) @__heddle_check(i32 27, ptr @place, ptr addrspace(1) %to, i64 8, i64 0, i64 0)
  store i64 %a, ptr addrspace(1) %to, align 8
  ret void
}
; A pointer from memory may point to any argument's.
define void @unknown.body(ptr addrspace(1) %in, ptr %group, i64 %x, i64 %y, i64 %z) #2 {
  call void (i32, ptr, ...) @__heddle_check(i32 26, ptr @place, ptr addrspace(1) %in, i64 8)
  %to = load ptr addrspace(1), ptr addrspace(1) %in, align 8
  call void (i32, ptr, ...) @__heddle_check(i32 27, ptr @place, ptr addrspace(1) %to, i64 4, i64 0, i64 0)
  store i32 1, ptr addrspace(1) %to, align 4
  ret void
}
@place = private constant [2 x i8] c"a\00"
declare void @__heddle_check(i32, ptr, ...)
attributes #0 = { "heddle-kernel"="own" "heddle-work-item-state" }
attributes #1 = { "heddle-kernel"="scattered" "heddle-work-item-state" }
attributes #2 = { "heddle-kernel"="unknown" "heddle-work-item-state" }
