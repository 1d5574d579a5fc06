; RUN: %heddle_opt --passes='kernel-body(print<lane-accesses>)' --width=8 %s 2>&1 >/dev/null | FileCheck %s
; What the lanes of a sub-group access.
; CHECK: Lane accesses of k.body:
; CHECK-NEXT: uniform, 4 bytes: %u = load i32
; CHECK-NEXT: strided by 4, 4 bytes: %c = load i32
; CHECK-NEXT: strided by 12, 4 bytes: %s = load i32
; CHECK-NEXT: strided by -8, 8 bytes: %r = load i64
; CHECK-NEXT: likely strided by 4, 4 bytes: %l = load i32
; CHECK-NEXT: scattered, 1 byte: %g = load i8
; CHECK-NEXT: scattered, 1 byte, lane by lane: %v = load volatile i8
; CHECK-NEXT: strided by 4, 4 bytes, lane by lane: store atomic i32
; CHECK-NEXT: scattered, 4 bytes: store i32
define void @k.body(ptr addrspace(1) %a, i64 %n, ptr noalias %group, i64 %local_x, i64 %local_y, i64 %local_z) #0 {
  %at.u = getelementptr i32, ptr addrspace(1) %a, i64 %n
  %u = load i32, ptr addrspace(1) %at.u
  %at.c = getelementptr i32, ptr addrspace(1) %a, i64 %local_x
  %c = load i32, ptr addrspace(1) %at.c
  %three = mul nsw i64 %local_x, 3
  %at.s = getelementptr i32, ptr addrspace(1) %a, i64 %three
  %s = load i32, ptr addrspace(1) %at.s
  %back = sub nsw i64 %n, %local_x
  %at.r = getelementptr i64, ptr addrspace(1) %a, i64 %back
  %r = load i64, ptr addrspace(1) %at.r
  %clamped = call i64 @llvm.umin.i64(i64 %local_x, i64 %n)
  %at.l = getelementptr i32, ptr addrspace(1) %a, i64 %clamped
  %l = load i32, ptr addrspace(1) %at.l
  %loaded = zext i32 %c to i64
  %at.g = getelementptr i8, ptr addrspace(1) %a, i64 %loaded
  %g = load i8, ptr addrspace(1) %at.g
  %v = load volatile i8, ptr addrspace(1) %at.g
  store atomic i32 %u, ptr addrspace(1) %at.c monotonic, align 4
  %row = mul i64 %local_x, %n
  %at.n = getelementptr i32, ptr addrspace(1) %a, i64 %row
  store i32 %s, ptr addrspace(1) %at.n
  ret void
}
declare i64 @llvm.umin.i64(i64, i64)
attributes #0 = { "heddle-kernel"="k" "heddle-work-item-state" }
