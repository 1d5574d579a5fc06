; RUN: %heddle_opt --passes=lower-local-atomics %s | FileCheck %s
; One thread runs a group: no other one accesses its local memory.

; CHECK-LABEL: define i32 @update(
; CHECK-NEXT: [[OLD:%.*]] = load i32, ptr addrspace(3) %p, align 4
; CHECK-NEXT: [[NEW:%.*]] = add i32 [[OLD]], %v
; CHECK-NEXT: store i32 [[NEW]], ptr addrspace(3) %p, align 4
; CHECK-NEXT: ret i32 [[OLD]]
define i32 @update(ptr addrspace(3) %p, i32 %v) {
  %old = atomicrmw add ptr addrspace(3) %p, i32 %v seq_cst, align 4
  ret i32 %old
}

; CHECK-LABEL: define float @float_maximum(
; CHECK: load float, ptr addrspace(3) %p
; CHECK: call float @llvm.maxnum.f32(
; CHECK: store float
; CHECK-NOT: atomicrmw
define float @float_maximum(ptr addrspace(3) %p, float %v) {
  %old = atomicrmw fmax ptr addrspace(3) %p, float %v monotonic, align 4
  ret float %old
}

; CHECK-LABEL: define { i64, i1 } @exchange(
; CHECK-NEXT: [[OLD:%.*]] = load i64, ptr addrspace(3) %p, align 8
; CHECK-NEXT: [[SAME:%.*]] = icmp eq i64 [[OLD]], %expected
; CHECK-NEXT: [[NEW:%.*]] = select i1 [[SAME]], i64 %v, i64 [[OLD]]
; CHECK-NEXT: store i64 [[NEW]], ptr addrspace(3) %p, align 8
; CHECK-NOT: cmpxchg
; CHECK: ret { i64, i1 }
define { i64, i1 } @exchange(ptr addrspace(3) %p, i64 %expected, i64 %v) {
  %old = cmpxchg ptr addrspace(3) %p, i64 %expected, i64 %v acq_rel monotonic, align 8
  ret { i64, i1 } %old
}

; Plain accesses keep their order where they are volatile.
; CHECK-LABEL: define i32 @load_and_store(
; CHECK-NEXT: %old = load i32, ptr addrspace(3) %p, align 4
; CHECK-NEXT: store i32 1, ptr addrspace(3) %p, align 4
; CHECK-NEXT: %again = load volatile i32, ptr addrspace(3) %p, align 4
; CHECK-NEXT: ret i32 %old
define i32 @load_and_store(ptr addrspace(3) %p) {
  %old = load atomic i32, ptr addrspace(3) %p acquire, align 4
  store atomic i32 1, ptr addrspace(3) %p release, align 4
  %again = load atomic volatile i32, ptr addrspace(3) %p seq_cst, align 4
  ret i32 %old
}

; Other threads access global memory, and what a generic pointer points to is not known. Fences order it.
; CHECK-LABEL: define void @others(
; CHECK-NEXT: atomicrmw add ptr addrspace(1) %global, i32 1 seq_cst, align 4
; CHECK-NEXT: atomicrmw add ptr addrspace(4) %generic, i32 1 seq_cst, align 4
; CHECK-NEXT: atomicrmw add ptr %private, i32 1 seq_cst, align 4
; CHECK-NEXT: cmpxchg ptr addrspace(1) %global, i32 1, i32 2 seq_cst seq_cst, align 4
; CHECK-NEXT: load atomic i32, ptr addrspace(1) %global acquire, align 4
; CHECK-NEXT: store atomic i32 1, ptr addrspace(4) %generic release, align 4
; CHECK-NEXT: fence seq_cst
; CHECK-NEXT: ret void
define void @others(ptr addrspace(1) %global, ptr addrspace(4) %generic, ptr %private) {
  %a = atomicrmw add ptr addrspace(1) %global, i32 1 seq_cst, align 4
  %b = atomicrmw add ptr addrspace(4) %generic, i32 1 seq_cst, align 4
  %c = atomicrmw add ptr %private, i32 1 seq_cst, align 4
  %d = cmpxchg ptr addrspace(1) %global, i32 1, i32 2 seq_cst seq_cst, align 4
  %e = load atomic i32, ptr addrspace(1) %global acquire, align 4
  store atomic i32 1, ptr addrspace(4) %generic release, align 4
  fence seq_cst
  ret void
}
