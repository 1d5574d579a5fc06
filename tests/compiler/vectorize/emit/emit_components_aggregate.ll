; RUN: %heddle_opt --passes='kernel-body(choose-width,canonicalize,choose-variants,emit-variants)' --width=8 %s | FileCheck %s
; Structures are taken apart: there is no instruction for their insertions and extractions.
; CHECK-LABEL: define internal void @k.whole(
; CHECK: [[SUM:%.*]] = call { <8 x i32>, <8 x i1> } @llvm.uadd.with.overflow.v8i32(
; CHECK-NEXT: [[VALUE:%.*]] = extractvalue { <8 x i32>, <8 x i1> } [[SUM]], 0
; CHECK-NEXT: [[OVERFLOW:%.*]] = extractvalue { <8 x i32>, <8 x i1> } [[SUM]], 1
; CHECK-NOT: value
; CHECK: select <8 x i1> [[OVERFLOW]], <8 x i32> splat (i32 -1), <8 x i32> [[VALUE]]
define void @k.body(ptr addrspace(1) %a, ptr addrspace(1) %b, i32 %n, ptr noalias %group, i64 %local_x, i64 %local_y, i64 %local_z) #0 {
  %p = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %local_x
  %x = load i32, ptr addrspace(1) %p, align 4
  %sum = call { i32, i1 } @llvm.uadd.with.overflow.i32(i32 %x, i32 %n)
  %copy = insertvalue { i32, i1 } %sum, i32 %x, 0
  %overflow = extractvalue { i32, i1 } %copy, 1
  %value = extractvalue { i32, i1 } %sum, 0
  %saturated = select i1 %overflow, i32 -1, i32 %value
  store i32 %saturated, ptr addrspace(1) %p, align 4
  ret void
}
attributes #0 = { "heddle-kernel"="k" "heddle-work-item-state" }
