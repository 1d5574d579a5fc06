; RUN: %heddle_opt --passes=lower-work-item-queries %s | FileCheck %s
; RUN: %heddle_opt --passes=lower-work-item-queries --swap-dimensions %s | FileCheck --check-prefix=SWAPPED %s
; Queries become loads from the launch and the group (compiler/interface/kernel_abi.h), and arithmetic.
; CHECK-NOT: declare i64 @_Z
declare i64 @_Z13get_global_idj(i32)
declare i64 @_Z12get_local_idj(i32)
declare i64 @_Z14get_local_sizej(i32)
declare i64 @_Z15get_global_sizej(i32)
declare i64 @_Z17get_global_offsetj(i32)
declare i32 @_Z12get_work_dimv()
declare i64 @_Z19get_local_linear_idv()

; The group's start in work-items, the offset of the range, and the local id.
; With swapped dimensions the second id is that of lanes, and is in the first place.
; SWAPPED-LABEL: define i64 @global_id(
; SWAPPED-DAG: getelementptr inbounds i8, ptr %group, i64 24
; SWAPPED-DAG: getelementptr inbounds i8, ptr %{{.*}}, i64 72
; SWAPPED-DAG: getelementptr inbounds i8, ptr %{{.*}}, i64 48
; SWAPPED: [[ID:%.*]] = add i64 %{{.*}}, %x
; SWAPPED-NEXT: ret i64 [[ID]]
; CHECK-LABEL: define i64 @global_id(
; CHECK-DAG: [[ID_AT:%.*]] = getelementptr inbounds i8, ptr %group, i64 32
; CHECK-DAG: [[GROUP:%.*]] = load i64, ptr [[ID_AT]], align 8
; CHECK-DAG: [[LAUNCH:%.*]] = load ptr, ptr %group, align 8
; CHECK-DAG: [[SIZE_AT:%.*]] = getelementptr inbounds i8, ptr [[LAUNCH]], i64 80
; CHECK-DAG: [[SIZE:%.*]] = load i64, ptr [[SIZE_AT]], align 8
; CHECK-DAG: [[START:%.*]] = mul i64 [[GROUP]], [[SIZE]]
; CHECK-DAG: [[OFFSET_AT:%.*]] = getelementptr inbounds i8, ptr %{{.*}}, i64 56
; CHECK-DAG: [[OFFSET:%.*]] = load i64, ptr [[OFFSET_AT]], align 8
; CHECK: [[BASE:%.*]] = add i64 [[START]], [[OFFSET]]
; CHECK-NEXT: [[ID:%.*]] = add i64 [[BASE]], %y
; CHECK-NEXT: ret i64 [[ID]]
define i64 @global_id(ptr %group, i64 %x, i64 %y, i64 %z) "heddle-work-item-state" {
  %id = call i64 @_Z13get_global_idj(i32 1)
  ret i64 %id
}

; CHECK-LABEL: define i64 @local_id(
; CHECK-NEXT: ret i64 %z
define i64 @local_id(i32 %unused, ptr %group, i64 %x, i64 %y, i64 %z) "heddle-work-item-state" {
  %id = call i64 @_Z12get_local_idj(i32 2)
  ret i64 %id
}

; A dimension that is not constant selects.
; CHECK-LABEL: define i64 @any_local_id(
; CHECK-NEXT: [[IS_Z:%.*]] = icmp eq i32 %d, 2
; CHECK-NEXT: [[Z:%.*]] = select i1 [[IS_Z]], i64 %z, i64 0
; CHECK-NEXT: [[IS_Y:%.*]] = icmp eq i32 %d, 1
; CHECK-NEXT: [[YZ:%.*]] = select i1 [[IS_Y]], i64 %y, i64 [[Z]]
; CHECK-NEXT: [[IS_X:%.*]] = icmp eq i32 %d, 0
; CHECK-NEXT: [[XYZ:%.*]] = select i1 [[IS_X]], i64 %x, i64 [[YZ]]
; CHECK-NEXT: ret i64 [[XYZ]]
define i64 @any_local_id(i32 %d, ptr %group, i64 %x, i64 %y, i64 %z) "heddle-work-item-state" {
  %id = call i64 @_Z12get_local_idj(i32 %d)
  ret i64 %id
}

; Dimensions above 2 have one work-item, at 0.
; CHECK-LABEL: define void @no_dimension(
; CHECK-NEXT: store i64 1, ptr %out
; CHECK-NEXT: store i64 1, ptr %out
; CHECK-NEXT: store i64 0, ptr %out
; CHECK-NEXT: store i64 0, ptr %out
; CHECK-NEXT: store i64 0, ptr %out
; CHECK-NEXT: ret void
define void @no_dimension(ptr %out, ptr %group, i64 %x, i64 %y, i64 %z) "heddle-work-item-state" {
  %a = call i64 @_Z14get_local_sizej(i32 3)
  store i64 %a, ptr %out
  %b = call i64 @_Z15get_global_sizej(i32 -1)
  store i64 %b, ptr %out
  %c = call i64 @_Z13get_global_idj(i32 3)
  store i64 %c, ptr %out
  %d = call i64 @_Z12get_local_idj(i32 4)
  store i64 %d, ptr %out
  %e = call i64 @_Z17get_global_offsetj(i32 3)
  store i64 %e, ptr %out
  ret void
}

; The size of the group that runs, which may be smaller at the edge of the range.
; CHECK-LABEL: define i64 @local_size(
; CHECK-NEXT: [[AT:%.*]] = getelementptr inbounds i8, ptr %group, i64 48
; CHECK-NEXT: [[SIZE:%.*]] = load i64, ptr [[AT]], align 8
; CHECK-NEXT: ret i64 [[SIZE]]
define i64 @local_size(ptr %group, i64 %x, i64 %y, i64 %z) "heddle-work-item-state" {
  %size = call i64 @_Z14get_local_sizej(i32 0)
  ret i64 %size
}

; CHECK-LABEL: define i32 @work_dim(
; CHECK: load ptr, ptr %group
; CHECK: getelementptr inbounds i8, ptr %{{.*}}, i64 16
; CHECK: trunc i64 %{{.*}} to i32
define i32 @work_dim(ptr %group, i64 %x, i64 %y, i64 %z) "heddle-work-item-state" {
  %dim = call i32 @_Z12get_work_dimv()
  ret i32 %dim
}

; (z * size_y + y) * size_x + x
; CHECK-LABEL: define i64 @local_linear_id(
; CHECK-DAG: [[X_AT:%.*]] = getelementptr inbounds i8, ptr %group, i64 48
; CHECK-DAG: [[SIZE_X:%.*]] = load i64, ptr [[X_AT]]
; CHECK-DAG: [[Y_AT:%.*]] = getelementptr inbounds i8, ptr %group, i64 56
; CHECK-DAG: [[SIZE_Y:%.*]] = load i64, ptr [[Y_AT]]
; CHECK: [[PLANE:%.*]] = mul i64 %z, [[SIZE_Y]]
; CHECK-NEXT: [[ROW:%.*]] = add i64 [[PLANE]], %y
; CHECK-NEXT: [[ROWS:%.*]] = mul i64 [[ROW]], [[SIZE_X]]
; CHECK-NEXT: [[ID:%.*]] = add i64 [[ROWS]], %x
; CHECK-NEXT: ret i64 [[ID]]
define i64 @local_linear_id(ptr %group, i64 %x, i64 %y, i64 %z) "heddle-work-item-state" {
  %id = call i64 @_Z19get_local_linear_idv()
  ret i64 %id
}

; Functions of other names stay.
declare i64 @get_global_id(i32)
; CHECK-LABEL: define i64 @other(
; CHECK-NEXT: call i64 @get_global_id(i32 0)
define i64 @other(ptr %group, i64 %x, i64 %y, i64 %z) "heddle-work-item-state" {
  %id = call i64 @get_global_id(i32 0)
  ret i64 %id
}
