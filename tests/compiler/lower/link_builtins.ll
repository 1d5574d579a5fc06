; REQUIRES: x86
; RUN: split-file %s %t
; RUN: %heddle_opt --passes=link-builtins %t/calls.ll | FileCheck %s
; RUN: not %heddle_opt --passes=link-builtins %t/undefined.ll 2>&1 | FileCheck %s --check-prefix=UNDEFINED
; RUN: %heddle_opt --passes=link-builtins %t/half.ll --cpu=x86-64-v2 | FileCheck %s --check-prefix=HALF
; RUN: %heddle_opt --passes=link-builtins %t/half.ll --cpu=x86-64-v3 | FileCheck %s --check-prefix=NATIVE

; Functions of the library that are called get definitions; what the program does not call is not linked.
; CHECK-NOT: @_Z3cosf(
; CHECK-LABEL: define {{.*}}@kernel(
; CHECK: call spir_func i32 @_Z3clzi(
; A function of the program with the name of one of the library is another one.
; CHECK: call spir_func float @_Z3sinf.cl(
; CHECK: call spir_func i64 @_Z13get_global_idj(i32 0)
; CHECK-LABEL: define {{.*}}@_Z3sinf.cl(
; CHECK-NEXT: ret float %x
; Other passes lower queries of the work-item.
; CHECK: declare spir_func i64 @_Z13get_global_idj(i32)
; CHECK: define {{.*}}i32 @_Z3clzi(
;--- calls.ll
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64-unknown-unknown"
define spir_kernel void @kernel(ptr addrspace(1) %p) {
  %zeros = call spir_func i32 @_Z3clzi(i32 5)
  %own = call spir_func float @_Z3sinf(float 1.0)
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  ret void
}
define spir_func float @_Z3sinf(float %x) {
  ret float %x
}
declare spir_func i32 @_Z3clzi(i32)
declare spir_func float @_Z3cosf(float)
declare spir_func i64 @_Z13get_global_idj(i32)

; UNDEFINED-DAG: error: undefined function 'missing(int)' called from 'kernel'
; UNDEFINED-DAG: error: undefined variable 'nowhere'
; UNDEFINED-NOT: error:
;--- undefined.ll
target triple = "spir64-unknown-unknown"
@nowhere = external addrspace(1) global i32
define spir_kernel void @kernel() {
  call spir_func void @_Z7missingi(i32 1)
  store i32 1, ptr addrspace(1) @nowhere
  ret void
}
declare spir_func void @_Z7missingi(i32)
declare spir_func void @unused()

; CPUs without conversions of halves call functions, which code generation adds late.
; HALF: @llvm.compiler.used = {{.*}} @__extendhfsf2
; HALF: define {{.*}}@__extendhfsf2(
; NATIVE-NOT: @__extendhfsf2
;--- half.ll
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64-unknown-unknown"
define spir_kernel void @kernel(ptr addrspace(1) %p) {
  %h = load half, ptr addrspace(1) %p
  %f = fpext half %h to float
  store float %f, ptr addrspace(1) %p
  ret void
}
