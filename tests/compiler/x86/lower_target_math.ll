; RUN: split-file %s %t
; RUN: %heddle_opt --passes=mark-target-math --cpu=x86-64-v4 %t/mark.ll | FileCheck %s --check-prefix=MARK
; RUN: %heddle_opt --passes=mark-target-math --cpu=x86-64-v3 %t/mark.ll | FileCheck %s --check-prefix=PLAIN
; RUN: %heddle_opt --passes=lower-target-math %t/lower.ll | FileCheck %s

; Functions that AVX-512 has instructions for lose their bodies before inlining, so that their calls are vectorized as
; calls. On other CPUs the bodies are inlined.
; MARK-LABEL: define i1 @caller(
; MARK-NEXT: call float @__heddle_math_exponent_f(float %x)
; MARK: ret i1 true
; MARK: declare dso_local float @__heddle_math_exponent_f(float) #[[MATH:[0-9]+]]
; MARK: define internal float @__heddle_math_other(float %x)
; MARK: attributes #[[MATH]] = { nounwind speculatable willreturn memory(none) }
; PLAIN-LABEL: define i1 @caller(
; PLAIN: call i1 @__heddle_math_has_pick()
; PLAIN: define internal float @__heddle_math_exponent_f(float %x) #[[INLINE:[0-9]+]]
; PLAIN: declare dso_local float @__heddle_math_coarse_rsqrt_f(float)
; PLAIN: define internal float @__heddle_math_other(float %x)
; PLAIN: attributes #[[INLINE]] = { alwaysinline }
;--- mark.ll
define i1 @caller(float %x) {
  %e = call float @__heddle_math_exponent_f(float %x)
  %has = call i1 @__heddle_math_has_pick()
  ret i1 %has
}
define internal float @__heddle_math_exponent_f(float %x) alwaysinline {
  ret float %x
}
define internal float @__heddle_math_coarse_rsqrt_f(float %x) alwaysinline {
  ret float %x
}
define internal float @__heddle_math_other(float %x) {
  ret float %x
}
define internal i1 @__heddle_math_has_pick() {
  ret i1 false
}

; CHECK: declare float @__heddle_math_other(float)
; A scalar is the first element of the smallest register.
; CHECK-LABEL: define float @scalar(
; CHECK-NEXT: [[VECTOR:%.*]] = insertelement <4 x float> zeroinitializer, float %x, i64 0
; CHECK-NEXT: [[RESULT:%.*]] = call <4 x float> @llvm.x86.avx512.mask.getexp.ps.128(<4 x float> [[VECTOR]], <4 x float> zeroinitializer, i8 -1)
; CHECK-NEXT: %e = extractelement <4 x float> [[RESULT]], i64 0
; CHECK-NEXT: ret float %e
; With the rounding mode of the thread: MXCSR's.
; CHECK-LABEL: define <16 x float> @register(
; CHECK-NEXT: %e = call <16 x float> @llvm.x86.avx512.mask.getexp.ps.512(<16 x float> %x, <16 x float> zeroinitializer, i16 -1, i32 4)
; CHECK-NEXT: ret <16 x float> %e
; CHECK-LABEL: define <16 x double> @two_registers(
; CHECK-COUNT-2: call <8 x double> @llvm.x86.avx512.mask.scalef.pd.512(<8 x double> %{{.*}}, <8 x double> %{{.*}}, <8 x double> zeroinitializer, i8 -1, i32 4)
; CHECK: ret <16 x double>
; A number selects from a constant table of sixteen.
; CHECK-LABEL: define <16 x float> @table(
; CHECK-NEXT: [[LOOKUP:%.*]] = call <16 x float> @llvm.x86.avx512.permvar.sf.512(<16 x float> <float 0.000000e+00, float 1.000000e+00, {{.*}} float 1.500000e+01>, <16 x i32> %n)
; CHECK-NEXT: ret <16 x float> %
; From memory, if there is one number only.
; CHECK-LABEL: define float @table_of_one(
; CHECK-NEXT: [[NUMBER:%.*]] = and i32 %n, 15
; CHECK-NEXT: [[ADDRESS:%.*]] = getelementptr inbounds float, ptr addrspace(2) @numbers, i32 [[NUMBER]]
; CHECK-NEXT: load float, ptr addrspace(2) [[ADDRESS]]
; An instruction of AVX, for 256 bits at most.
; CHECK-LABEL: define <16 x float> @estimates(
; CHECK-COUNT-2: call <8 x float> @llvm.x86.avx.rsqrt.ps.256(<8 x float> %{{[0-9]+}})
; CHECK: ret <16 x float>
; Functions with a body stay.
; CHECK-LABEL: define float @others(
; CHECK-NEXT: call float @__heddle_math_exponent_own(float %x)
; CHECK-NEXT: call float @__heddle_math_other(float %x)
; CHECK-NOT: declare {{.*}}@__heddle_math_exponent
;--- lower.ll
@numbers = internal addrspace(2) constant [16 x float] [float 0.0, float 1.0, float 2.0, float 3.0, float 4.0, float 5.0, float 6.0, float 7.0, float 8.0, float 9.0, float 10.0, float 11.0, float 12.0, float 13.0, float 14.0, float 15.0]
declare float @__heddle_math_exponent_f(float)
declare <16 x float> @__heddle_math_exponent_f_v16(<16 x float>)
declare <16 x double> @__heddle_math_scale_d_v16(<16 x double>, <16 x double>)
declare <16 x float> @__heddle_math_pick_f_v16(<16 x i32>, ptr addrspace(2))
declare float @__heddle_math_pick_f(i32, ptr addrspace(2))
declare <16 x float> @__heddle_math_coarse_rsqrt_f_v16(<16 x float>)
declare float @__heddle_math_other(float)
define float @scalar(float %x) {
  %e = call float @__heddle_math_exponent_f(float %x)
  ret float %e
}
define <16 x float> @register(<16 x float> %x) {
  %e = call <16 x float> @__heddle_math_exponent_f_v16(<16 x float> %x)
  ret <16 x float> %e
}
define <16 x double> @two_registers(<16 x double> %x, <16 x double> %n) {
  %s = call <16 x double> @__heddle_math_scale_d_v16(<16 x double> %x, <16 x double> %n)
  ret <16 x double> %s
}
define <16 x float> @table(<16 x i32> %n) {
  %t = call <16 x float> @__heddle_math_pick_f_v16(<16 x i32> %n, ptr addrspace(2) @numbers)
  ret <16 x float> %t
}
define float @table_of_one(i32 %n) {
  %t = call float @__heddle_math_pick_f(i32 %n, ptr addrspace(2) @numbers)
  ret float %t
}
define <16 x float> @estimates(<16 x float> %x) {
  %r = call <16 x float> @__heddle_math_coarse_rsqrt_f_v16(<16 x float> %x)
  ret <16 x float> %r
}
define float @others(float %x) {
  %e = call float @__heddle_math_exponent_own(float %x)
  %o = call float @__heddle_math_other(float %x)
  ret float %e
}
define internal float @__heddle_math_exponent_own(float %x) {
  ret float %x
}
