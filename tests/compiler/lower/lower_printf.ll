; RUN: split-file %s %t
; RUN: %heddle_opt --passes=lower-printf %t/calls.ll | FileCheck %s
; RUN: not %heddle_opt --passes=lower-printf %t/bad_type.ll 2>&1 | FileCheck %s --check-prefix=BAD
; RUN: not %heddle_opt --passes=lower-printf %t/bad_format.ll 2>&1 | FileCheck %s --check-prefix=FORMAT
; RUN: %heddle_opt --passes=lower-printf %t/defined.ll | FileCheck %s --check-prefix=DEFINED

; A record on the stack (compiler/interface/printf_record.h) goes to the worker.
; CHECK-NOT: @printf
; CHECK-LABEL: define i32 @scalar(
; CHECK-NEXT: %record = alloca [5 x i64], align 8
; CHECK: [[WIDE:%.*]] = sext i8 %v to i32
; CHECK: call void @llvm.lifetime.start.p0(ptr %record)
; CHECK: store ptr addrspacecast (ptr addrspace(2) @format to ptr), ptr %record
; CHECK: [[COUNT:%.*]] = getelementptr inbounds i8, ptr %record, i64 8
; CHECK: store i32 1, ptr [[COUNT]]
; An integer of four bytes.
; CHECK: [[KIND:%.*]] = getelementptr inbounds i8, ptr %record, i64 16
; CHECK: store i32 0, ptr [[KIND]]
; CHECK: [[BYTES:%.*]] = getelementptr inbounds i8, ptr %record, i64 20
; CHECK: store i32 4, ptr [[BYTES]]
; CHECK: [[LANES:%.*]] = getelementptr inbounds i8, ptr %record, i64 24
; CHECK: store i32 1, ptr [[LANES]]
; CHECK: [[VALUE:%.*]] = getelementptr inbounds i8, ptr %record, i64 32
; CHECK: store i32 [[WIDE]], ptr [[VALUE]]
; CHECK: [[WORKER_AT:%.*]] = getelementptr inbounds i8, ptr %group, i64 8
; CHECK: [[WORKER:%.*]] = load ptr, ptr [[WORKER_AT]]
; CHECK: [[PRINT_AT:%.*]] = getelementptr inbounds i8, ptr [[WORKER]], i64 16
; CHECK: [[PRINT:%.*]] = load ptr, ptr [[PRINT_AT]]
; CHECK: [[RESULT:%.*]] = call i32 [[PRINT]](ptr [[WORKER]], ptr %record, i64 40)
; CHECK: call void @llvm.lifetime.end.p0(ptr %record)
; CHECK: ret i32 [[RESULT]]
; Elements of vectors are not promoted.
; CHECK-LABEL: define void @vector(
; CHECK: store i32 1,
; CHECK: store i32 4,
; CHECK: store i32 2,
; CHECK: extractelement <2 x float> %v, i64 0
; CHECK: extractelement <2 x float> %v, i64 1
; CHECK: call i32 %{{.*}}(ptr %{{.*}}, ptr %record, i64 40)
; A float becomes a double, a pointer an integer.
; CHECK-LABEL: define void @several(
; CHECK: fpext float %f to double
; CHECK: store i32 2, ptr
; CHECK: store double
; CHECK: ptrtoint ptr addrspace(1) %p to i64
; CHECK: call i32 %{{.*}}(ptr %{{.*}}, ptr %record, i64 64)
; CHECK-LABEL: define void @no_arguments(
; CHECK-NEXT: alloca [2 x i64]
; CHECK: call i32 %{{.*}}(ptr %{{.*}}, ptr %record, i64 16)
;--- calls.ll
@format = addrspace(2) constant [3 x i8] c"%d\00"
declare i32 @printf(ptr addrspace(2), ...)
define i32 @scalar(i8 %v, ptr %group, i64 %x, i64 %y, i64 %z) "heddle-work-item-state" {
  %result = call i32 (ptr addrspace(2), ...) @printf(ptr addrspace(2) @format, i8 %v)
  ret i32 %result
}
define void @vector(<2 x float> %v, ptr %group, i64 %x, i64 %y, i64 %z) "heddle-work-item-state" {
  %result = call i32 (ptr addrspace(2), ...) @printf(ptr addrspace(2) @format, <2 x float> %v)
  ret void
}
define void @several(float %f, ptr addrspace(1) %p, ptr %group, i64 %x, i64 %y, i64 %z) "heddle-work-item-state" {
  %result = call i32 (ptr addrspace(2), ...) @printf(ptr addrspace(2) @format, float %f, ptr addrspace(1) %p)
  ret void
}
define void @no_arguments(ptr %group, i64 %x, i64 %y, i64 %z) "heddle-work-item-state" {
  %result = call i32 (ptr addrspace(2), ...) @printf(ptr addrspace(2) @format)
  ret void
}

; BAD: error: printf in 'kernel': argument 1 has a type that cannot be printed
;--- bad_type.ll
declare i32 @printf(ptr addrspace(2), ...)
define void @kernel(i128 %v, ptr %group, i64 %x, i64 %y, i64 %z) "heddle-work-item-state" {
  %result = call i32 (ptr addrspace(2), ...) @printf(ptr addrspace(2) null, i128 %v)
  ret void
}

;--- bad_format.ll
declare i32 @printf(i32)
define void @kernel(ptr %group, i64 %x, i64 %y, i64 %z) "heddle-work-item-state" {
  %result = call i32 @printf(i32 1)
  ret void
}
; FORMAT: error: printf in 'kernel' is not declared as OpenCL C has it

; The program's own function stays.
; DEFINED-LABEL: define void @calls(
; DEFINED-NEXT: call i32 @printf(i32 1)
; DEFINED-NEXT: ret void
;--- defined.ll
define i32 @printf(i32 %a) {
  ret i32 %a
}
define void @calls(ptr %group, i64 %x, i64 %y, i64 %z) "heddle-work-item-state" {
  %result = call i32 @printf(i32 1)
  ret void
}
