; RUN: split-file %s %t
; RUN: %heddle_opt --passes=lower-assertions %t/calls.ll | FileCheck %s
; RUN: %heddle_opt --passes=lower-assertions,add-work-item-params,lower-work-item-queries,lower-printf %t/calls.ll | FileCheck %s --check-prefix=RECORD

; A call of a function with the format and all operands, whatever address space strings are in.
; CHECK-DAG: @[[FORMAT:.*]] = private unnamed_addr addrspace(2) constant {{.*}} c"%s:%u: %s: global id: [%lu,%lu,%lu], local id: [%lu,%lu,%lu] Assertion `%s` failed.\00"
; CHECK-DAG: @[[SHORT:.*]] = private unnamed_addr addrspace(2) constant {{.*}} c"%s:%u: global id: {{.*}}\00"
; CHECK-NOT: @__assert_fail
; CHECK-LABEL: define spir_func void @of_c(
; CHECK: [[LINE:%.*]] = trunc i64 %line to i32
; CHECK: [[X:%.*]] = call i64 @_Z13get_global_idj(i32 0)
; CHECK: [[LOCAL:%.*]] = call i64 @_Z12get_local_idj(i32 2)
; CHECK: call i32 (ptr addrspace(2), ...) @__heddle_end_kernel(ptr addrspace(2) @[[FORMAT]], ptr addrspace(4) %file, i32 [[LINE]], ptr %function, i64 [[X]], {{.*}}, i64 [[LOCAL]], ptr addrspace(2) %text)
; A null function is left out.
; CHECK-LABEL: define spir_func void @with_ids(
; CHECK: call i32 (ptr addrspace(2), ...) @__heddle_end_kernel(ptr addrspace(2) @[[SHORT]], ptr %file, i32 7, i64 %x, i64 1, i64 2, i64 3, i64 4, i64 5, ptr %text)
; What the program defines is left alone.
; CHECK-LABEL: define spir_func void @own(
; CHECK: call spir_func void @mine(

; The record says that the kernel ends.
; RECORD-NOT: __heddle_end_kernel
; RECORD-LABEL: @with_ids(
; RECORD: [[ENDS:%.*]] = getelementptr inbounds i8, ptr %record, i64 12
; RECORD: store i32 1, ptr [[ENDS]]
;--- calls.ll
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64-unknown-unknown"
declare spir_func void @__assert_fail(ptr addrspace(2), ptr addrspace(4), i64, ptr)
declare spir_func void @__devicelib_assert_fail(ptr, ptr, i32, ptr, i64, i64, i64, i64, i64, i64)
define spir_func void @mine(i32 %x) {
  ret void
}
define spir_func void @of_c(ptr addrspace(2) %text, ptr addrspace(4) %file, i64 %line, ptr %function) {
  call spir_func void @__assert_fail(ptr addrspace(2) %text, ptr addrspace(4) %file, i64 %line, ptr %function)
  ret void
}
define spir_func void @with_ids(ptr %text, ptr %file, i64 %x) {
  call spir_func void @__devicelib_assert_fail(ptr %text, ptr %file, i32 7, ptr null, i64 %x, i64 1, i64 2, i64 3, i64 4, i64 5)
  ret void
}
define spir_func void @own() {
  call spir_func void @mine(i32 1)
  ret void
}
