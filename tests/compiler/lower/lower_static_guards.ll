; RUN: split-file %s %t
; RUN: %heddle_opt --passes=lower-static-guards %t/guarded.ll | FileCheck %s
; RUN: %heddle_opt --passes=lower-static-guards %t/other.ll | FileCheck %s --check-prefix=OTHER

; CHECK: @guard = internal addrspace(1) global i64 0, align 8 #[[GUARD:[0-9]+]]
; The initializer is a part of the loop that waits: a lane that left it would wait for those that stay.
; CHECK-LABEL: define i32 @guarded(
; CHECK: init.check:
; CHECK-NEXT: br label %[[WAIT:.*]]
; CHECK: [[WAIT]]:
; CHECK-NEXT: [[DONE:%.*]] = load atomic i8, ptr addrspace(1) @guard acquire, align 8
; CHECK-NEXT: [[IS_DONE:%.*]] = icmp ne i8 [[DONE]], 0
; CHECK-NEXT: br i1 [[IS_DONE]], label %init.end, label %[[ATTEMPT:.*]]
; CHECK: [[ATTEMPT]]:
; CHECK-NEXT: [[OLD:%.*]] = cmpxchg ptr addrspace(1) @guard, i64 0, i64 256 acq_rel acquire, align 8
; CHECK-NEXT: [[WON:%.*]] = extractvalue { i64, i1 } [[OLD]], 1
; CHECK-NEXT: br i1 [[WON]], label %init, label %[[WAIT]]
; CHECK: init:
; CHECK: call void @construct()
; CHECK-NEXT: store atomic i64 1, ptr addrspace(1) @guard release, align 8
; CHECK-NEXT: br label %[[WAIT]]
; CHECK: init.end:
; CHECK-NOT: call {{.*}}@__cxa_guard
; CHECK: attributes #[[GUARD]] = { "heddle-static-guard" }
;--- guarded.ll
@guard = internal addrspace(1) global i64 0, align 8
@object = internal addrspace(1) global i32 0, align 4
declare i32 @__cxa_guard_acquire(ptr addrspace(1))
declare void @__cxa_guard_release(ptr addrspace(1))
declare void @construct()
define i32 @guarded() {
entry:
  %0 = load atomic i8, ptr addrspace(1) @guard acquire, align 8
  %uninitialized = icmp eq i8 %0, 0
  br i1 %uninitialized, label %init.check, label %init.end
init.check:
  %1 = call i32 @__cxa_guard_acquire(ptr addrspace(1) @guard)
  %tobool = icmp ne i32 %1, 0
  br i1 %tobool, label %init, label %init.end
init:
  call void @construct()
  call void @__cxa_guard_release(ptr addrspace(1) @guard)
  br label %init.end
init.end:
  %value = load i32, ptr addrspace(1) @object, align 4
  ret i32 %value
}

; Code of another form is left, for the error that the function is not defined.
; OTHER: call i32 @__cxa_guard_acquire
; OTHER: call void @__cxa_guard_release
;--- other.ll
@guard = internal addrspace(1) global i64 0, align 8
declare i32 @__cxa_guard_acquire(ptr addrspace(1))
declare void @__cxa_guard_release(ptr addrspace(1))
define i32 @other() {
  %1 = call i32 @__cxa_guard_acquire(ptr addrspace(1) @guard)
  call void @__cxa_guard_release(ptr addrspace(1) @guard)
  ret i32 %1
}
