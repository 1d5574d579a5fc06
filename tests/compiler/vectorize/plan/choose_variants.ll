; REQUIRES: x86
; RUN: %heddle_opt --passes='kernel-body(choose-width,canonicalize,choose-variants,emit-variants)' %s | FileCheck %s --implicit-check-not='define internal'
; RUN: %heddle_opt --passes='kernel-body(choose-width,canonicalize,choose-variants,emit-variants)' --rows=1 %s | FileCheck %s --check-prefix=ONE-ROW
; The width is corrected by the costs of loops and by register pressure, and the variants are chosen.

; Loops that mostly gather stay scalar: there is no @gathers.whole.
; Rows that load the same are interleaved; groups of narrow rows get lanes across them.
; CHECK: define internal void @product.whole(
; CHECK: store <16 x float>
; CHECK: define internal void @product.block(
; CHECK-COUNT-8: store <16 x float>
; CHECK: define internal void @product.tail(
; CHECK: define internal void @product.crossing(
; ONE-ROW-NOT: @product.block
; Two registers for each value if they suffice for all; not if the width is required.
; CHECK: define internal void @copies.whole(
; CHECK: store <32 x float>
; CHECK: define internal void @copies.tail(
; CHECK: define internal void @required.whole(
; CHECK: store <4 x float>
; CHECK: define internal void @required.tail(
define void @gathers.body(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %n, ptr noalias %group, i64 %local_x, i64 %local_y, i64 %local_z) #0 {
entry:
  br label %loop
loop:
  %i = phi i64 [ %local_x, %entry ], [ %next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %total, %loop ]
  %p = getelementptr inbounds i64, ptr addrspace(1) %a, i64 %i
  %next = load i64, ptr addrspace(1) %p
  %q = getelementptr inbounds i32, ptr addrspace(1) %b, i64 %next
  %v = load i32, ptr addrspace(1) %q
  %total = add i32 %sum, %v
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  %r = getelementptr inbounds i32, ptr addrspace(1) %b, i64 %local_x
  store i32 %total, ptr addrspace(1) %r
  ret void
}

define void @product.body(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c, i64 %n, ptr noalias %group, i64 %local_x, i64 %local_y, i64 %local_z) #1 {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %total, %loop ]
  %row = mul i64 %local_y, %n
  %ai = add i64 %row, %i
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %ai
  %s = load float, ptr addrspace(1) %p
  %brow = mul i64 %i, %n
  %bi = add i64 %brow, %local_x
  %q = getelementptr inbounds float, ptr addrspace(1) %b, i64 %bi
  %v = load float, ptr addrspace(1) %q
  %product = fmul float %s, %v
  %total = fadd float %sum, %product
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  %ci = add i64 %row, %local_x
  %r = getelementptr inbounds float, ptr addrspace(1) %c, i64 %ci
  store float %total, ptr addrspace(1) %r
  ret void
}

define void @copies.body(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr noalias %group, i64 %local_x, i64 %local_y, i64 %local_z) #2 {
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %local_x
  %v = load float, ptr addrspace(1) %p
  %q = getelementptr inbounds float, ptr addrspace(1) %b, i64 %local_x
  store float %v, ptr addrspace(1) %q
  ret void
}

define void @required.body(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr noalias %group, i64 %local_x, i64 %local_y, i64 %local_z) #3 !intel_reqd_sub_group_size !0 {
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %local_x
  %v = load float, ptr addrspace(1) %p
  %q = getelementptr inbounds float, ptr addrspace(1) %b, i64 %local_x
  store float %v, ptr addrspace(1) %q
  ret void
}

attributes #0 = { "heddle-kernel"="gathers" "heddle-work-item-state" }
attributes #1 = { "heddle-kernel"="product" "heddle-work-item-state" }
attributes #2 = { "heddle-kernel"="copies" "heddle-work-item-state" }
attributes #3 = { "heddle-kernel"="required" "heddle-work-item-state" }
!0 = !{i32 4}
