; RUN: %heddle_opt --passes=stream-halves %s | FileCheck %s
; Nontemporal stores of halves are stores of floats, for which there is an instruction; others stay.

; CHECK-LABEL: define void @sums(
; CHECK: [[BITS:%.*]] = bitcast <64 x half> %sum to <32 x float>
; CHECK-NEXT: [[FENCED:%.*]] = call <32 x float> @llvm.arithmetic.fence.v32f32(<32 x float> [[BITS]])
; CHECK-NEXT: store <32 x float> [[FENCED]], ptr addrspace(1) %p, align 64, !nontemporal
define void @sums(ptr addrspace(1) %p, <64 x half> %a, <64 x half> %b) {
  %sum = fadd <64 x half> %a, %b
  store <64 x half> %sum, ptr addrspace(1) %p, align 64, !nontemporal !0
  ret void
}

; CHECK-LABEL: define void @others(
; CHECK-NEXT: store <32 x half> %a, ptr %p, align 64{{$}}
; CHECK-NEXT: store <16 x i32> %c, ptr %p, align 64, !nontemporal
; CHECK-NEXT: store half %d, ptr %p, align 2, !nontemporal
; CHECK-NEXT: ret void
define void @others(ptr %p, <32 x half> %a, <16 x i32> %c, half %d) {
  store <32 x half> %a, ptr %p, align 64
  store <16 x i32> %c, ptr %p, align 64, !nontemporal !0
  store half %d, ptr %p, align 2, !nontemporal !0
  ret void
}
!0 = !{i32 1}
