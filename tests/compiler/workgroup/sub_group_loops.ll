; RUN: %heddle_opt --passes=make-kernel-wrappers %s | FileCheck %s
; Kernels without barriers run in loops over sub-groups, or work-items, in the kernel's wrapper.
; CHECK: @heddle_kernels = {{.*}}constant [3 x ptr] [ptr @scalar, ptr @vector, ptr @memcpy.cl]

; Neither body uses ids in y or z: the rows of a group are one loop.
; CHECK-LABEL: define internal void @scalar(ptr {{.*}}%launch, i64 %first_group, i64 %last_group, ptr {{.*}}%worker)
; CHECK: group{{[0-9]*}}:
; CHECK: row:
; CHECK: x:
; CHECK: call void @heddle.note(
; CHECK: call void @scalar.body(ptr %group, i64 %{{.*}}, i64 0, i64 0)
; CHECK: ret void
define void @scalar.body(ptr %group, i64 %x, i64 %y, i64 %z) #0 {
  store i64 %x, ptr %group
  ret void
}

; Whole sub-groups, and one with the rest of the row. Ids in y are used, so there are loops for y
; and z.
; CHECK-LABEL: define internal void @vector(
; CHECK: z:
; CHECK: y:
; CHECK: [[WHOLE:%.*]] = and i64 [[SIZE:%.*]], -8
; CHECK: x:
; CHECK: [[X:%.*]] = phi i64
; CHECK: call void @vector.whole(ptr %group, i64 [[X]], i64 %{{.*}}, i64 %{{.*}})
; CHECK: add nuw i64 [[X]], 8
; CHECK: rest:
; CHECK: [[LEFT:%.*]] = sub i64 [[SIZE]], [[WHOLE]]
; CHECK: tail:
; CHECK: [[ACTIVE:%.*]] = sub i64 [[SIZE]], [[WHOLE]]
; CHECK: call void @vector.tail(i64 [[ACTIVE]], ptr %group, i64 [[WHOLE]], i64 %{{.*}}, i64 %{{.*}})
; CHECK-NOT: tail.x:
; CHECK: ret void
define void @vector.body(ptr %group, i64 %x, i64 %y, i64 %z) #1 {
  ret void
}
define internal void @vector.whole(ptr %group, i64 %x, i64 %y, i64 %z) #2 {
  store i64 %y, ptr %group
  ret void
}
define internal void @vector.tail(i64 %active, ptr %group, i64 %x, i64 %y, i64 %z) #3 {
  store i64 %y, ptr %group
  ret void
}

; Code generation calls memcpy by this name.
; CHECK-LABEL: define internal void @memcpy.cl(
define void @memcpy.body(ptr %group, i64 %x, i64 %y, i64 %z) #4 {
  ret void
}

attributes #0 = { "heddle-kernel"="scalar" "heddle-work-item-state" }
attributes #1 = { "heddle-kernel"="vector" "heddle-work-item-state" }
attributes #2 = { "heddle-kernel"="vector" "heddle-variant"="whole 8" "heddle-work-item-state" }
attributes #3 = { "heddle-kernel"="vector" "heddle-variant"="tail 8" "heddle-work-item-state" }
attributes #4 = { "heddle-kernel"="memcpy" "heddle-work-item-state" }
