; RUN: %heddle_opt --passes=expand-sqrt-f64 --cpu=x86-64-v4 %s | FileCheck %s
; RUN: %heddle_opt --passes=expand-sqrt-f64 --cpu=x86-64-v3 %s | FileCheck %s --check-prefix=NONE
; Of two registers of square roots, the divider computes one while multiplications compute the other.
declare <16 x double> @llvm.sqrt.v16f64(<16 x double>)

; NONE-NOT: rsqrt14
; CHECK-LABEL: define <16 x double> @two_registers(
; CHECK: [[X:%.*]] = freeze <16 x double> %x
; CHECK: [[A:%.*]] = shufflevector <16 x double> [[X]], <16 x double> {{.*}}, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
; CHECK: [[B:%.*]] = shufflevector <16 x double> [[X]], <16 x double> {{.*}}, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
; CHECK: [[FIRST:%.*]] = call <8 x double> @llvm.sqrt.v8f64(<8 x double> [[A]])
; Where an intermediate result may overflow or be denormal, both are divided.
; CHECK: [[BITS:%.*]] = bitcast <8 x double> [[B]] to <8 x i64>
; CHECK: [[ABOVE:%.*]] = sub <8 x i64> [[BITS]], splat (i64 288230376151711744)
; CHECK: icmp ult <8 x i64> [[ABOVE]], splat (i64 8070450532247928832)
; CHECK: br i1 %{{.*}}, label %[[LIKELY:.*]], label %[[UNLIKELY:[0-9]+]], !prof
; CHECK: [[LIKELY]]:
; CHECK: call <8 x double> @llvm.x86.avx512.rsqrt14.pd.512(<8 x double> [[B]],
; CHECK-COUNT-8: call <8 x double> @llvm.fma.v8f64(
; CHECK-NOT: fma
; CHECK: [[UNLIKELY]]:
; CHECK-NEXT: [[DIVIDED:%.*]] = call <8 x double> @llvm.sqrt.v8f64(<8 x double> [[B]])
; CHECK: [[SECOND:%.*]] = phi <8 x double> [ %{{.*}}, %[[LIKELY]] ], [ [[DIVIDED]], %[[UNLIKELY]] ]
; CHECK: [[BOTH:%.*]] = shufflevector <8 x double> [[FIRST]], <8 x double> [[SECOND]], <16 x i32>
; CHECK-NEXT: ret <16 x double> [[BOTH]]
define <16 x double> @two_registers(<16 x double> %x) {
  %roots = call <16 x double> @llvm.sqrt.v16f64(<16 x double> %x)
  ret <16 x double> %roots
}

; One register's roots overlap with nothing; floats are fast enough.
; CHECK-LABEL: define void @others(
; CHECK-NEXT: call <8 x double> @llvm.sqrt.v8f64(<8 x double> %x)
; CHECK-NEXT: call <24 x double> @llvm.sqrt.v24f64(<24 x double> %y)
; CHECK-NEXT: call <32 x float> @llvm.sqrt.v32f32(<32 x float> %f)
; CHECK-NEXT: call double @llvm.sqrt.f64(double %s)
; CHECK-NEXT: ret void
define void @others(<8 x double> %x, <24 x double> %y, <32 x float> %f, double %s) {
  %a = call <8 x double> @llvm.sqrt.v8f64(<8 x double> %x)
  %b = call <24 x double> @llvm.sqrt.v24f64(<24 x double> %y)
  %c = call <32 x float> @llvm.sqrt.v32f32(<32 x float> %f)
  %d = call double @llvm.sqrt.f64(double %s)
  ret void
}

; Components that nobody uses: no branch depends on poison.
; CHECK-LABEL: define <16 x double> @poison(
; CHECK-NOT: br i1 poison
; CHECK: ret <16 x double>
define <16 x double> @poison() {
  %roots = call <16 x double> @llvm.sqrt.v16f64(<16 x double> poison)
  ret <16 x double> %roots
}
