; RUN: %heddle_opt --passes='kernel-body(choose-width,canonicalize,choose-variants,emit-variants)' --width=8 %s | FileCheck %s
; Volatile updates are not combined.
; CHECK-LABEL: define internal void @k.whole(
; CHECK-NOT: vector.reduce
; CHECK-COUNT-8: atomicrmw volatile add
; CHECK: ret void
define void @k.body(ptr addrspace(1) %a, ptr addrspace(1) %b, i32 %n, ptr noalias %group, i64 %local_x, i64 %local_y, i64 %local_z) #0 {
  %old = atomicrmw volatile add ptr addrspace(1) %a, i32 %n monotonic, align 4
  ret void
}
attributes #0 = { "heddle-kernel"="k" "heddle-work-item-state" }
