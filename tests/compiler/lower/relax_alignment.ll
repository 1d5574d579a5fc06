; RUN: %heddle_opt --passes=relax-alignment %s | FileCheck %s

; Accesses of global, constant, local and generic memory may be anywhere.
; CHECK-LABEL: define void @accesses(
; CHECK-NEXT: load <4 x float>, ptr addrspace(1) %in, align 1
; CHECK-NEXT: store <4 x float> %a, ptr addrspace(3) %tile, align 1
; CHECK-NEXT: load volatile i32, ptr addrspace(2) %table, align 1
; CHECK-NEXT: load %struct.S, ptr addrspace(4) %any, align 1
; CHECK-NEXT: store <4 x float> %a, ptr addrspace(1) %in, align 1, !nontemporal
; CHECK-NEXT: ret void
%struct.S = type { <4 x float>, i32 }
define void @accesses(ptr addrspace(1) %in, ptr addrspace(3) %tile, ptr addrspace(2) %table, ptr addrspace(4) %any) {
  %a = load <4 x float>, ptr addrspace(1) %in, align 16
  store <4 x float> %a, ptr addrspace(3) %tile, align 16
  %b = load volatile i32, ptr addrspace(2) %table, align 4
  %c = load %struct.S, ptr addrspace(4) %any, align 16
  store <4 x float> %a, ptr addrspace(1) %in, align 16, !nontemporal !0
  ret void
}

; Copies and fills, each side by its memory.
; CHECK-LABEL: define void @copies(
; CHECK: call void @llvm.memcpy.p1.p0.i64(ptr addrspace(1) align 1 %out, ptr align 16 %private, i64 32, i1 false)
; CHECK-NEXT: call void @llvm.memmove.p0.p3.i64(ptr align 16 %private, ptr addrspace(3) align 1 %tile, i64 32, i1 false)
; CHECK-NEXT: call void @llvm.memset.p1.i64(ptr addrspace(1) align 1 %out, i8 0, i64 32, i1 false)
define void @copies(ptr addrspace(1) %out, ptr addrspace(3) %tile) {
  %private = alloca [2 x <4 x float>], align 16
  call void @llvm.memcpy.p1.p0.i64(ptr addrspace(1) align 16 %out, ptr align 16 %private, i64 32, i1 false)
  call void @llvm.memmove.p0.p3.i64(ptr align 16 %private, ptr addrspace(3) align 16 %tile, i64 32, i1 false)
  call void @llvm.memset.p1.i64(ptr addrspace(1) align 16 %out, i8 0, i64 32, i1 false)
  ret void
}

; Parameters, results and loaded pointers; not those of images, which are Heddle's, and structures that are passed.
; CHECK-LABEL: define ptr addrspace(1) @pointers(ptr addrspace(1) noundef %p, ptr addrspace(4) dereferenceable(16) %this,
; CHECK-SAME: ptr align 16 %private, ptr byval(%struct.S) align 16 %passed, ptr addrspace(2) align 8 "heddle-image" %image)
; CHECK-NEXT: load ptr addrspace(1), ptr %private, align 8{{$}}
; CHECK-NEXT: call ptr addrspace(1) @pointers(ptr addrspace(1) %p, ptr addrspace(4) %this, ptr align 16 %private,
; CHECK-SAME: ptr byval(%struct.S) align 16 %passed,
define align 16 ptr addrspace(1) @pointers(ptr addrspace(1) noundef align 16 %p, ptr addrspace(4) align 16 dereferenceable(16) %this, ptr align 16 %private, ptr byval(%struct.S) align 16 %passed, ptr addrspace(2) align 8 "heddle-image" %image) {
  %q = load ptr addrspace(1), ptr %private, align 8, !align !1
  %r = call align 16 ptr addrspace(1) @pointers(ptr addrspace(1) align 16 %p, ptr addrspace(4) align 16 %this, ptr align 16 %private, ptr byval(%struct.S) align 16 %passed, ptr addrspace(2) %image)
  ret ptr addrspace(1) %q
}

; Private memory and atomic operations stay, and what the program promises by name.
; CHECK-LABEL: define void @others(
; CHECK-NEXT: load <4 x float>, ptr %private, align 16
; CHECK-NEXT: load atomic i32, ptr addrspace(1) %p seq_cst, align 4
; CHECK-NEXT: store atomic i32 1, ptr addrspace(1) %p seq_cst, align 4
; CHECK-NEXT: atomicrmw add ptr addrspace(1) %p, i32 1 seq_cst, align 4
; CHECK-NEXT: call void @llvm.assume(i1 true) [ "align"(ptr addrspace(1) %p, i64 16) ]
define void @others(ptr %private, ptr addrspace(1) %p) {
  %a = load <4 x float>, ptr %private, align 16
  %b = load atomic i32, ptr addrspace(1) %p seq_cst, align 4
  store atomic i32 1, ptr addrspace(1) %p seq_cst, align 4
  %c = atomicrmw add ptr addrspace(1) %p, i32 1 seq_cst, align 4
  call void @llvm.assume(i1 true) [ "align"(ptr addrspace(1) %p, i64 16) ]
  ret void
}

declare void @llvm.memcpy.p1.p0.i64(ptr addrspace(1), ptr, i64, i1)
declare void @llvm.memmove.p0.p3.i64(ptr, ptr addrspace(3), i64, i1)
declare void @llvm.memset.p1.i64(ptr addrspace(1), i8, i64, i1)
declare void @llvm.assume(i1)
!0 = !{i32 1}
!1 = !{i64 16}
