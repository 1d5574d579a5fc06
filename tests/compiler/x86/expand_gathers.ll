; RUN: %heddle_opt --passes=coalesce-gathers,expand-gathers --cpu=znver4 %s | FileCheck %s
; RUN: %heddle_opt --passes=coalesce-gathers,expand-gathers --cpu=sapphirerapids %s | FileCheck %s --check-prefix=FAST
; RUN: %heddle_opt --passes=coalesce-gathers,expand-gathers --cpu=sapphirerapids,slow-gathers %s | FileCheck %s
; RUN: %heddle_opt --passes=coalesce-gathers,expand-gathers --cpu=znver4,slow-scatters,fast-gathers %s | FileCheck %s --check-prefix=FAST
; RUN: not %heddle_opt --passes=expand-gathers --cpu=znver4,gathers %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
; RUN: not %heddle_opt --passes=expand-gathers --cpu=znver4,slow-divisions %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
; RUN: not %heddle_opt --passes=expand-gathers --cpu=znver4, %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
; UNKNOWN: unknown CPU 'znver4,{{[a-z-]*}}'
; Where they are slow, as on Zen, gathers of all lanes are a load for each lane, of 32-bit indices before they are extended.

; FAST-NOT: extractelement <4 x i32>
; FAST-COUNT-5: call {{.*}}@llvm.masked.gather

; CHECK-LABEL: define <4 x float> @indices(
; CHECK-NEXT: [[I:%.*]] = sext <4 x i32> %i to <4 x i64>
; CHECK: [[FIRST:%.*]] = extractelement <4 x i32> %i, i64 0
; CHECK-NEXT: [[WIDE:%.*]] = sext i32 [[FIRST]] to i64
; CHECK-NEXT: [[ADDRESS:%.*]] = getelementptr inbounds float, ptr addrspace(1) %base, i64 [[WIDE]]
; CHECK-NEXT: [[VALUE:%.*]] = load float, ptr addrspace(1) [[ADDRESS]], align 4
; CHECK-NEXT: insertelement <4 x float> poison, float [[VALUE]], i64 0
; CHECK-COUNT-3: load float
; CHECK-NOT: masked.gather
define <4 x float> @indices(ptr addrspace(1) %base, <4 x i32> %i) {
  %wide = sext <4 x i32> %i to <4 x i64>
  %p = getelementptr inbounds float, ptr addrspace(1) %base, <4 x i64> %wide
  %r = call <4 x float> @llvm.masked.gather.v4f32.v4p1(<4 x ptr addrspace(1)> align 4 %p, <4 x i1> splat (i1 true), <4 x float> poison)
  ret <4 x float> %r
}

; CHECK-LABEL: define <2 x double> @pointers(
; CHECK: extractelement <2 x ptr addrspace(1)> %p, i64 1
; CHECK-NEXT: load double, ptr addrspace(1) %{{.*}}, align 1
; CHECK-NOT: masked.gather
define <2 x double> @pointers(<2 x ptr addrspace(1)> %p) {
  %r = call <2 x double> @llvm.masked.gather.v2f64.v2p1(<2 x ptr addrspace(1)> align 1 %p, <2 x i1> splat (i1 true), <2 x double> poison)
  ret <2 x double> %r
}

; Some lanes must not be accessed.
; CHECK-LABEL: define <2 x double> @masked(
; CHECK-NEXT: call <2 x double> @llvm.masked.gather
define <2 x double> @masked(<2 x ptr addrspace(1)> %p, <2 x i1> %mask) {
  %r = call <2 x double> @llvm.masked.gather.v2f64.v2p1(<2 x ptr addrspace(1)> align 8 %p, <2 x i1> %mask, <2 x double> poison)
  ret <2 x double> %r
}

; Where lanes are not within 32 elements, which is the exception.
; CHECK-LABEL: define <16 x i32> @near(
; CHECK: vpermi2var
; CHECK: call <16 x i32> @llvm.masked.gather
define <16 x i32> @near(<16 x ptr addrspace(1)> %p) {
  %r = call <16 x i32> @llvm.masked.gather.v16i32.v16p1(<16 x ptr addrspace(1)> align 4 %p, <16 x i1> splat (i1 true), <16 x i32> poison), !heddle.orderly !0
  ret <16 x i32> %r
}

; The mark says nothing of elements that are never coalesced.
; CHECK-LABEL: define <2 x i64> @doublewords(
; CHECK-NOT: masked.gather
; CHECK: ret
define <2 x i64> @doublewords(<2 x ptr addrspace(1)> %p) {
  %r = call <2 x i64> @llvm.masked.gather.v2i64.v2p1(<2 x ptr addrspace(1)> align 8 %p, <2 x i1> splat (i1 true), <2 x i64> poison), !heddle.orderly !0
  ret <2 x i64> %r
}

; No gather.
; CHECK-LABEL: define float @load(
; CHECK-NEXT: load float
define float @load(ptr %p) {
  %r = load float, ptr %p
  ret float %r
}


; No CPU has gathers of halves: with AVX-512, the words that contain them are gathered.
; FAST-LABEL: define <16 x half> @halves(
; FAST: [[PLACES:%.*]] = ptrtoint <16 x ptr addrspace(1)> %p to <16 x i64>
; FAST-NEXT: [[OFFSETS:%.*]] = and <16 x i64> [[PLACES]], splat (i64 3)
; FAST-NEXT: [[BEFORE:%.*]] = call <16 x i64> @llvm.umin.v16i64(<16 x i64> [[OFFSETS]], <16 x i64> splat (i64 2))
; FAST-NEXT: [[BEGINS:%.*]] = sub <16 x i64> [[PLACES]], [[BEFORE]]
; FAST-NEXT: [[WORDS:%.*]] = inttoptr <16 x i64> [[BEGINS]] to <16 x ptr addrspace(1)>
; FAST-NEXT: [[GATHERED:%.*]] = call <16 x i32> @llvm.masked.gather.v16i32.v16p1(<16 x ptr addrspace(1)> align 1 [[WORDS]], <16 x i1> %mask,
; FAST: [[SHIFTED:%.*]] = lshr <16 x i32> [[GATHERED]],
; FAST-NEXT: [[BITS:%.*]] = trunc <16 x i32> [[SHIFTED]] to <16 x i16>
; FAST-NEXT: [[HALVES:%.*]] = bitcast <16 x i16> [[BITS]] to <16 x half>
; FAST-NEXT: select <16 x i1> %mask, <16 x half> [[HALVES]], <16 x half> zeroinitializer
; CHECK-LABEL: define <16 x half> @halves(
; CHECK: call <16 x i32> @llvm.masked.gather
define <16 x half> @halves(<16 x ptr addrspace(1)> %p, <16 x i1> %mask) {
  %r = call <16 x half> @llvm.masked.gather.v16f16.v16p1(<16 x ptr addrspace(1)> align 2 %p, <16 x i1> %mask, <16 x half> zeroinitializer)
  ret <16 x half> %r
}

; Also of those that lie in two words.
; FAST-LABEL: define <16 x half> @packed(
; FAST: call <16 x i32> @llvm.masked.gather
define <16 x half> @packed(<16 x ptr addrspace(1)> %p, <16 x i1> %mask) {
  %r = call <16 x half> @llvm.masked.gather.v16f16.v16p1(<16 x ptr addrspace(1)> align 1 %p, <16 x i1> %mask, <16 x half> poison)
  ret <16 x half> %r
}

!0 = !{}
