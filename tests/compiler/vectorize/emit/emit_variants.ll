; RUN: %heddle_opt --passes='kernel-body(choose-width,canonicalize,choose-variants,emit-variants)' --width=8 %s | FileCheck %s
; RUN: %heddle_opt --passes='kernel-body(choose-width,canonicalize,choose-variants,emit-variants)' --width=1 %s | FileCheck %s --check-prefix=SCALAR
; The variants precede one another in the order whole, tail, and name their kernel, kind and width.
; CHECK: define internal void @k.whole(
; CHECK-SAME: [[WIDE:#[0-9]+]] {
; CHECK: define internal void @k.tail({{.*}}i64 %active, ptr noalias %group,
; CHECK-SAME: [[TAIL:#[0-9]+]] {
; CHECK: attributes [[WIDE]] = { {{.*}}"heddle-kernel"="k" "heddle-variant"="whole 8"
; CHECK: attributes [[TAIL]] = { {{.*}}"heddle-kernel"="k" "heddle-variant"="tail 8"
; A kernel that stays scalar has none.
; SCALAR: define void @k.body(
; SCALAR-NOT: define
define void @k.body(ptr addrspace(1) %a, ptr addrspace(1) %b, i32 %n, ptr noalias %group, i64 %local_x, i64 %local_y, i64 %local_z) #0 {
  %p = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %local_x
  store i32 %n, ptr addrspace(1) %p, align 4
  ret void
}
attributes #0 = { "heddle-kernel"="k" "heddle-work-item-state" }
