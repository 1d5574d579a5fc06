; RUN: split-file %s %t
; RUN: %heddle_opt --passes=link-builtins %t/overloads.ll | FileCheck %s
; RUN: not %heddle_opt --passes=link-builtins %t/none.ll 2>&1 | FileCheck %s --check-prefix=NONE

; Vector overloads of functions that the library has for scalars call these for each component.
; CHECK-LABEL: define internal spir_func <2 x i32> @_Z3clzDv2_i(
; CHECK: [[X:%.*]] = extractelement <2 x i32> %0, i64 0
; CHECK-NEXT: [[A:%.*]] = call spir_func i32 @_Z3clzi(i32 [[X]])
; CHECK-NEXT: [[FIRST:%.*]] = insertelement <2 x i32> poison, i32 [[A]], i64 0
; CHECK-NEXT: [[Y:%.*]] = extractelement <2 x i32> %0, i64 1
; CHECK-NEXT: [[B:%.*]] = call spir_func i32 @_Z3clzi(i32 [[Y]])
; CHECK-NEXT: [[BOTH:%.*]] = insertelement <2 x i32> [[FIRST]], i32 [[B]], i64 1
; CHECK-NEXT: ret <2 x i32> [[BOTH]]
; Small integers are extended, as Clang does.
; CHECK-LABEL: define internal spir_func <2 x i8> @_Z3maxDv2_cS_(
; CHECK: call spir_func {{.*}}i8 @_Z3maxcc(i8 signext %{{.*}}, i8 signext %{{.*}})
; A pointer to a vector is one to its components.
; CHECK-LABEL: define internal spir_func <2 x float> @_Z5fractDv2_fPU3AS1S_(
; CHECK: getelementptr {{.*}}float, ptr addrspace(1) %1, i64 1
; CHECK: call spir_func float @_Z5fractfPU3AS1f(
;--- overloads.ll
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64-unknown-unknown"
define spir_kernel void @kernel(<2 x i32> %v, <2 x i8> %c, <2 x float> %f, ptr addrspace(1) %p) {
  %a = call spir_func <2 x i32> @_Z3clzDv2_i(<2 x i32> %v)
  %b = call spir_func <2 x i8> @_Z3maxDv2_cS_(<2 x i8> %c, <2 x i8> %c)
  %d = call spir_func <2 x float> @_Z5fractDv2_fPU3AS1S_(<2 x float> %f, ptr addrspace(1) %p)
  ret void
}
declare spir_func <2 x i32> @_Z3clzDv2_i(<2 x i32>)
declare spir_func <2 x i8> @_Z3maxDv2_cS_(<2 x i8>, <2 x i8>)
declare spir_func <2 x float> @_Z5fractDv2_fPU3AS1S_(<2 x float>, ptr addrspace(1))

; Not those without a scalar function, of other types than the name says, or of vectors of several lengths.
; NONE-DAG: error: undefined function 'missing(int vector[2])' called from 'kernel'
; NONE-DAG: error: undefined function 'clz(int vector[4])' called from 'kernel'
; NONE-DAG: error: undefined function 'max(int vector[4], int vector[2])' called from 'kernel'
;--- none.ll
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64-unknown-unknown"
define spir_kernel void @kernel(<2 x i32> %v, <4 x i32> %w) {
  %a = call spir_func <2 x i32> @_Z7missingDv2_i(<2 x i32> %v)
  %b = call spir_func <2 x i32> @_Z3clzDv4_i(<2 x i32> %v)
  %c = call spir_func <4 x i32> @_Z3maxDv4_iDv2_i(<4 x i32> %w, <2 x i32> %v)
  ret void
}
declare spir_func <2 x i32> @_Z7missingDv2_i(<2 x i32>)
declare spir_func <2 x i32> @_Z3clzDv4_i(<2 x i32>)
declare spir_func <4 x i32> @_Z3maxDv4_iDv2_i(<4 x i32>, <2 x i32>)
