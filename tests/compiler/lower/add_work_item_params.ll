; RUN: %heddle_opt --passes=add-work-item-params %s | FileCheck %s
; Kernels, and functions that need to know their work-item, take it in four more parameters.
@tile = internal addrspace(3) global [4 x i32] poison
declare i64 @_Z13get_global_idj(i32)

; Others stay as they are.
; CHECK-LABEL: define i64 @plain(i64 %a) {
define i64 @plain(i64 %a) {
  ret i64 %a
}

; CHECK-LABEL: define internal void @kernel.body(
; CHECK-SAME: ptr addrspace(1) %out, ptr noalias noundef nonnull readonly align 8 captures(none) dereferenceable(72) %group, i64 %local_x, i64 %local_y, i64 %local_z) #[[KERNEL:[0-9]+]]
; CHECK-NEXT: [[A:%.*]] = call i64 @asks_its_id(ptr %group, i64 %local_x, i64 %local_y, i64 %local_z)
; CHECK-NEXT: [[B:%.*]] = call i32 @uses_local_memory(ptr %group, i64 %local_x, i64 %local_y, i64 %local_z)
; CHECK-NEXT: [[C:%.*]] = call i64 @plain(i64 [[A]])
define void @kernel.body(ptr addrspace(1) %out) #0 {
  %a = call i64 @asks_its_id()
  %b = call i32 @uses_local_memory()
  %c = call i64 @plain(i64 %a)
  store i64 %c, ptr addrspace(1) %out
  ret void
}

; Callers need it as well, and no longer may claim to access no memory.
; CHECK-LABEL: define internal i64 @asks_its_id(
; CHECK-SAME: ptr {{.*}}%group, i64 %local_x, i64 %local_y, i64 %local_z) #[[STATE:[0-9]+]]
; CHECK-NEXT: call i64 @_Z13get_global_idj(i32 0)
define i64 @asks_its_id() memory(none) {
  %id = call i64 @_Z13get_global_idj(i32 0)
  ret i64 %id
}
; CHECK-LABEL: define internal i32 @uses_local_memory(
; CHECK-SAME: ptr {{.*}}%group, i64 %local_x, i64 %local_y, i64 %local_z) #[[STATE]]
define i32 @uses_local_memory() {
  %value = load i32, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @tile, i64 4)
  ret i32 %value
}
; CHECK-DAG: attributes #[[KERNEL]] = { "heddle-kernel"="kernel" "heddle-work-item-state" }
; CHECK-DAG: attributes #[[STATE]] = { "heddle-work-item-state" }
attributes #0 = { "heddle-kernel"="kernel" }
