; RUN: %heddle_opt --passes=expand-masked-loads --cpu=x86-64-v3 %s | FileCheck %s --check-prefixes=CHECK,V3
; RUN: %heddle_opt --passes=expand-masked-loads --cpu=x86-64-v2 %s | FileCheck %s --check-prefixes=CHECK,V2
; RUN: %heddle_opt --passes=expand-masked-loads --cpu=x86-64-v4 %s | FileCheck %s --check-prefix=V4
; Masked loads for which the CPU has no instruction load all lanes if one is active and all are in one page.
declare <8 x i8> @llvm.masked.load.v8i8.p1(ptr addrspace(1), <8 x i1>, <8 x i8>)
declare <8 x i16> @llvm.masked.load.v8i16.p1(ptr addrspace(1), <8 x i1>, <8 x i16>)
declare <8 x i32> @llvm.masked.load.v8i32.p1(ptr addrspace(1), <8 x i1>, <8 x i32>)

; CHECK-LABEL: define <8 x i8> @bytes(
; CHECK: [[LANES:%.*]] = bitcast <8 x i1> %mask to i8
; CHECK: [[ANY:%.*]] = icmp ne i8 [[LANES]], 0
; CHECK: [[ADDRESS:%.*]] = ptrtoint ptr addrspace(1) %p to i64
; CHECK: [[PLACE:%.*]] = and i64 [[ADDRESS]], 4095
; CHECK: [[FITS:%.*]] = icmp ule i64 [[PLACE]], 4088
; CHECK: [[SAFE:%.*]] = and i1 [[ANY]], [[FITS]]
; CHECK: br i1 [[SAFE]], label %[[ALL:.*]], label %[[EACH:.*]]
; CHECK: [[ALL]]:
; CHECK: [[LOADED:%.*]] = load <8 x i8>, ptr addrspace(1) %p, align 1
; CHECK: [[EACH]]:
; CHECK: [[MASKED:%.*]] = call <8 x i8> @llvm.masked.load
; CHECK: phi <8 x i8> [ [[LOADED]], %[[ALL]] ], [ [[MASKED]], %[[EACH]] ]
; V4-LABEL: define <8 x i8> @bytes(
; V4-NEXT: call <8 x i8> @llvm.masked.load
; V4-NEXT: ret
define <8 x i8> @bytes(ptr addrspace(1) %p, <8 x i1> %mask) {
  %v = call <8 x i8> @llvm.masked.load.v8i8.p1(ptr addrspace(1) align 1 %p, <8 x i1> %mask, <8 x i8> poison)
  ret <8 x i8> %v
}

; An aligned vector is in one page; inactive lanes have their values.
; CHECK-LABEL: define <8 x i16> @aligned(
; CHECK-NOT: ptrtoint
; CHECK: [[LOADED:%.*]] = load <8 x i16>, ptr addrspace(1) %p, align 16
; CHECK: select <8 x i1> %mask, <8 x i16> [[LOADED]], <8 x i16> zeroinitializer
define <8 x i16> @aligned(ptr addrspace(1) %p, <8 x i1> %mask) {
  %v = call <8 x i16> @llvm.masked.load.v8i16.p1(ptr addrspace(1) align 16 %p, <8 x i1> %mask, <8 x i16> zeroinitializer)
  ret <8 x i16> %v
}

; AVX2 loads words under a mask. Constant masks need no branches.
; CHECK-LABEL: define <8 x i32> @words(
; V2: load <8 x i32>
; V3-NEXT: call <8 x i32> @llvm.masked.load
; V3-NEXT: ret
define <8 x i32> @words(ptr addrspace(1) %p, <8 x i1> %mask) {
  %v = call <8 x i32> @llvm.masked.load.v8i32.p1(ptr addrspace(1) align 4 %p, <8 x i1> %mask, <8 x i32> poison)
  ret <8 x i32> %v
}
; CHECK-LABEL: define <8 x i8> @constant(
; CHECK-NEXT: call <8 x i8> @llvm.masked.load
; CHECK-NEXT: ret
define <8 x i8> @constant(ptr addrspace(1) %p) {
  %v = call <8 x i8> @llvm.masked.load.v8i8.p1(ptr addrspace(1) align 1 %p, <8 x i1> <i1 1, i1 1, i1 0, i1 0, i1 0, i1 0, i1 0, i1 0>, <8 x i8> poison)
  ret <8 x i8> %v
}
