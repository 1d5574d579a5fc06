; RUN: %heddle_opt --passes='kernel-body(choose-width,canonicalize,choose-variants,emit-variants)' --width=8 %s | FileCheck %s
; Lane 0 may be inactive: flags that hold for active lanes only are dropped from affine values. Those
; of uniform values are kept.
; CHECK-LABEL: define internal void @k.whole(
; CHECK: %u = mul nsw i32 %n, 3
; CHECK: %x = trunc i64 %local_x to i32
; CHECK: %s = add i32 %x, %u
; CHECK: %p = getelementptr i32, ptr addrspace(1) %a, i64 %local_x
; CHECK: add <8 x i32> %{{.*}}, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
; CHECK: store <8 x i32>
define void @k.body(ptr addrspace(1) %a, ptr addrspace(1) %b, i32 %n, ptr noalias %group, i64 %local_x, i64 %local_y, i64 %local_z) #0 {
  %u = mul nsw i32 %n, 3
  %x = trunc nuw nsw i64 %local_x to i32
  %s = add nuw nsw i32 %x, %u
  %p = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %local_x
  store i32 %s, ptr addrspace(1) %p, align 4
  ret void
}
attributes #0 = { "heddle-kernel"="k" "heddle-work-item-state" }
