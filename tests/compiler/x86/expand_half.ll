; RUN: %heddle_opt --passes=expand-half --cpu=x86-64-v3 %s | FileCheck %s
; RUN: %heddle_opt --passes=expand-half --cpu=x86-64-v2 %s | FileCheck %s --check-prefix=SOFT
; RUN: %heddle_opt --passes=expand-half --cpu=x86-64-v4 %s | FileCheck %s --check-prefix=AVX512
; RUN: %heddle_opt --passes=expand-half --cpu=sapphirerapids %s | FileCheck %s --check-prefix=NATIVE
; Operations on halves become operations on floats, each rounded; without F16C conversions become integer
; arithmetic. With AVX-512 FP16 nothing changes.

; NATIVE-NOT: fpext
; NATIVE-NOT: fptrunc <16 x float>
; SOFT-NOT: {{fpext|fptrunc}} {{.*}}half

; CHECK-LABEL: define <16 x half> @sum_and_product(
; CHECK-DAG: [[A:%.*]] = fpext <16 x half> %a to <16 x float>
; CHECK-DAG: [[B:%.*]] = fpext <16 x half> %b to <16 x float>
; CHECK: [[SUM:%.*]] = fadd <16 x float> [[A]], [[B]]
; CHECK: [[HALF:%.*]] = fptrunc <16 x float> [[SUM]] to <16 x half>
; CHECK: [[AGAIN:%.*]] = fpext <16 x half> [[HALF]] to <16 x float>
; CHECK: fmul <16 x float> [[AGAIN]], [[B]]
; SOFT-LABEL: define <16 x half> @sum_and_product(
; SOFT: fmul <16 x float> {{.*}}, splat (float 0x46F0000000000000)
; NATIVE-LABEL: define <16 x half> @sum_and_product(
; NATIVE: fadd <16 x half> %a, %b
define <16 x half> @sum_and_product(<16 x half> %a, <16 x half> %b) {
  %sum = fadd <16 x half> %a, %b
  %product = fmul <16 x half> %sum, %b
  ret <16 x half> %product
}

; An invariant is converted where it is defined.
; CHECK-LABEL: define half @invariant(
; CHECK: entry:
; CHECK: [[X:%.*]] = fpext half %x to float
; CHECK: loop:
; CHECK: fadd float {{.*}}, [[X]]
define half @invariant(half %x, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi half [ 0xH0000, %entry ], [ %more, %loop ]
  %more = fadd half %sum, %x
  %next = add i32 %i, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %exit, label %loop
exit:
  ret half %more
}

; fma is rounded to odd before it is rounded to half; the error of the sum decides.
; CHECK-LABEL: define half @fused(
; CHECK: [[PRODUCT:%.*]] = fmul float
; CHECK: [[SUM:%.*]] = fadd float [[PRODUCT]],
; CHECK: [[ERROR:%.*]] = fadd float
; CHECK: fcmp one float [[ERROR]], 0.0
; CHECK: fptrunc float {{.*}} to half
; With AVX-512 it is the odd one of two sums that are rounded up and down.
; AVX512-LABEL: define half @fused(
; AVX512: [[DOWN:%.*]] = call float @llvm.x86.avx512.vfmadd.f32(float %{{.*}}, float %{{.*}}, float %{{.*}}, i32 9)
; AVX512: [[UP:%.*]] = call float @llvm.x86.avx512.vfmadd.f32(float %{{.*}}, float %{{.*}}, float %{{.*}}, i32 10)
; AVX512: [[ODD:%.*]] = select i1 %{{.*}}, float [[DOWN]], float [[UP]]
; AVX512: fptrunc float [[ODD]] to half
define half @fused(half %a, half %b, half %c) {
  %r = call half @llvm.fma.f16(half %a, half %b, half %c)
  ret half %r
}

; Registers are filled: only whole ones have rounding modes.
; AVX512-LABEL: define <24 x half> @fused_vectors(
; AVX512-COUNT-4: call <16 x float> @llvm.x86.avx512.vfmadd.ps.512(
; AVX512: fptrunc <24 x float>
define <24 x half> @fused_vectors(<24 x half> %a, <24 x half> %b, <24 x half> %c) {
  %r = call <24 x half> @llvm.fma.v24f16(<24 x half> %a, <24 x half> %b, <24 x half> %c)
  ret <24 x half> %r
}

; Otherwise the product is rounded as well, if that does not take longer.
; AVX512-LABEL: define half @multiply_add(
; AVX512-COUNT-2: call float @llvm.x86.avx512.vfmadd.f32(
; CHECK-LABEL: define half @multiply_add(
; CHECK: fmul float
; CHECK: fptrunc float
; CHECK: fpext half
; CHECK: fadd float
define half @multiply_add(half %a, half %b, half %c) {
  %r = call half @llvm.fmuladd.f16(half %a, half %b, half %c)
  ret half %r
}

; CHECK-LABEL: define <8 x half> @root_and_larger(
; CHECK: call <8 x float> @llvm.sqrt.v8f32(
; CHECK: call <8 x float> @llvm.maxnum.v8f32(
define <8 x half> @root_and_larger(<8 x half> %a, <8 x half> %b) {
  %root = call <8 x half> @llvm.sqrt.v8f16(<8 x half> %a)
  %max = call <8 x half> @llvm.maxnum.v8f16(<8 x half> %root, <8 x half> %b)
  ret <8 x half> %max
}

; A double is rounded to odd in float.
; CHECK-LABEL: define <4 x half> @from_double(
; CHECK: [[NEAREST:%.*]] = fptrunc <4 x double> %x to <4 x float>
; CHECK: fpext <4 x float> [[NEAREST]] to <4 x double>
; CHECK: fptrunc <4 x float> {{.*}} to <4 x half>
define <4 x half> @from_double(<4 x double> %x) {
  %r = fptrunc <4 x double> %x to <4 x half>
  ret <4 x half> %r
}

; Pairs, as AVX-512 FP16 does, with a rounding in each step.
; CHECK-LABEL: define half @reduction(
; CHECK: shufflevector <4 x half> %v, {{.*}} <2 x i32> <i32 0, i32 1>
; CHECK: shufflevector <4 x half> %v, {{.*}} <2 x i32> <i32 2, i32 3>
; CHECK: fadd <2 x float>
; CHECK: fptrunc <2 x float>
define half @reduction(<4 x half> %v) {
  %r = call reassoc half @llvm.vector.reduce.fadd.v4f16(half 0xH8000, <4 x half> %v)
  ret half %r
}

; What only moves halves, or changes their sign, stays.
; CHECK-LABEL: define <4 x half> @moves(
; CHECK-NOT: fpext
; CHECK: ret
define <4 x half> @moves(<4 x half> %a, <4 x half> %b, i1 %c) {
  %negative = fneg <4 x half> %a
  %size = call <4 x half> @llvm.fabs.v4f16(<4 x half> %negative)
  %r = select i1 %c, <4 x half> %size, <4 x half> %b
  ret <4 x half> %r
}

; The larger one of two halves is a half: it is converted neither before it is used as a float nor in the loop.
; CHECK-LABEL: define half @maximum(
; CHECK: loop:
; CHECK: [[MOST:%.*]] = phi float [ 0xFFF0000000000000, %entry ], [ [[LARGER:%.*]], %loop ]
; CHECK-NOT: fptrunc
; CHECK: [[LARGER]] = call float @llvm.maxnum.f32(float [[MOST]],
; CHECK-NOT: fptrunc
; CHECK: exit:
; CHECK: fptrunc float %{{.*}} to half
define half @maximum(ptr %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %most = phi half [ 0xHFC00, %entry ], [ %larger, %loop ]
  %place = getelementptr half, ptr %p, i32 %i
  %x = load half, ptr %place
  %larger = call half @llvm.maxnum.f16(half %most, half %x)
  %next = add i32 %i, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %exit, label %loop
exit:
  %result = phi half [ %larger, %loop ]
  ret half %result
}

; So is the one that is chosen, and the negative of one.
; CHECK-LABEL: define half @chosen(
; CHECK: [[X:%.*]] = fpext half %x to float
; CHECK: [[POSITIVE:%.*]] = fcmp ogt float [[X]], 0.0
; CHECK: [[CHOSEN:%.*]] = select i1 [[POSITIVE]], float [[X]], float 0.0
; CHECK: [[NEGATIVE:%.*]] = fneg float [[CHOSEN]]
; CHECK: fmul float [[NEGATIVE]], [[X]]
define half @chosen(half %x) {
  %positive = fcmp ogt half %x, 0xH0000
  %chosen = select i1 %positive, half %x, half 0xH0000
  %negative = fneg half %chosen
  %product = fmul half %negative, %x
  ret half %product
}

; A loop that keeps what is rounded, and what no float is known of, keeps halves.
; CHECK-LABEL: define half @kept(
; CHECK: phi half [ 0xH0000, %entry ], [ %more, %loop ]
; CHECK: phi half [ %x, %entry ], [ %sum, %loop ]
define half @kept(half %x, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi half [ 0xH0000, %entry ], [ %more, %loop ]
  %moved = phi half [ %x, %entry ], [ %sum, %loop ]
  %more = fadd half %sum, 0xH3C00
  %next = add i32 %i, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %exit, label %loop
exit:
  ret half %moved
}
