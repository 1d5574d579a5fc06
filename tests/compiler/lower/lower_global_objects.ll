; RUN: split-file %s %t
; RUN: %heddle_opt --passes=lower-global-objects %t/objects.ll | FileCheck %s
; RUN: %heddle_opt --passes=lower-global-objects %t/none.ll | FileCheck %s --check-prefix=NONE

; The lists go. Constructors run in the order of their priorities, and in the list's order among equal ones.
; CHECK-NOT: @llvm.{{.*}} = appending
; CHECK-DAG: @heddle.destructor.count = internal addrspace(1) global i32 0, align 4
; CHECK-DAG: @heddle.destructor.order = internal addrspace(1) global [3 x i32] zeroinitializer, align 4

; Each registration has a number.
; CHECK-LABEL: define internal spir_func void @construct_a()
; CHECK-NEXT: [[PLACE:%.*]] = atomicrmw add ptr addrspace(1) @heddle.destructor.count, i32 1 monotonic, align 4
; CHECK-NEXT: [[WITHIN:%.*]] = call i32 @llvm.umin.i32(i32 [[PLACE]], i32 2)
; CHECK-NEXT: [[WIDE:%.*]] = zext i32 [[WITHIN]] to i64
; CHECK-NEXT: [[SLOT:%.*]] = getelementptr inbounds i32, ptr addrspace(1) @heddle.destructor.order, i64 [[WIDE]]
; CHECK-NEXT: store i32 0, ptr addrspace(1) [[SLOT]]
; CHECK-NEXT: ret void
; CHECK-LABEL: define internal spir_func void @construct_b()
; CHECK: store i32 1, ptr addrspace(1)

; CHECK-LABEL: define spir_kernel void @heddle.initialize()
; CHECK-SAME: #[[KERNEL:[0-9]+]] !reqd_work_group_size ![[ONE:[0-9]+]]
; CHECK-NEXT: entry:
; CHECK-NEXT: call spir_func void @early()
; CHECK-NEXT: call spir_func void @construct_a()
; CHECK-NEXT: call spir_func void @construct_b()
; CHECK-NEXT: ret void

; What is not registered follows, from the highest priority on.
; CHECK-LABEL: define spir_kernel void @heddle.finalize()
; CHECK-SAME: #[[KERNEL]] !reqd_work_group_size ![[ONE]]
; CHECK: [[STORED:%.*]] = load i32, ptr addrspace(1) @heddle.destructor.count
; CHECK-NEXT: [[COUNT:%.*]] = call i32 @llvm.umin.i32(i32 [[STORED]], i32 2)
; CHECK: [[LEFT:%.*]] = phi i32 [ [[COUNT]], %entry ], [ [[BEFORE:%.*]], %latch ]
; CHECK: [[BEFORE]] = sub i32 [[LEFT]], 1
; CHECK: switch i32 %{{.*}}, label %latch [
; CHECK-NEXT: i32 0, label %[[A:.*]]
; CHECK-NEXT: i32 1, label %[[B:.*]]
; CHECK: done:
; CHECK-NEXT: call spir_func void @last()
; CHECK-NEXT: call spir_func void @very_last()
; CHECK-NEXT: ret void
; CHECK: [[A]]:
; CHECK-NEXT: call spir_func void @destroy_a()
; CHECK: [[B]]:
; CHECK-NEXT: call spir_func void @destroy_b()

; CHECK: attributes #[[KERNEL]] = { {{.*}}"heddle-global-objects"
; CHECK: ![[ONE]] = !{i32 1, i32 1, i32 1}
;--- objects.ll
@object = addrspace(1) global i32 0
@llvm.global_ctors = appending global [3 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @construct_a, ptr addrspacecast (ptr addrspace(1) @object to ptr) }, { i32, ptr, ptr } { i32 65535, ptr @construct_b, ptr null }, { i32, ptr, ptr } { i32 200, ptr @early, ptr null }]
@llvm.global_dtors = appending global [2 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 100, ptr @very_last, ptr null }, { i32, ptr, ptr } { i32 65535, ptr @last, ptr null }]
@llvm.used = appending global [1 x ptr] [ptr addrspacecast (ptr addrspace(1) @object to ptr)], section "llvm.metadata"
declare spir_func i32 @atexit(ptr)
declare spir_func void @early()
declare spir_func void @last()
declare spir_func void @very_last()
declare spir_func void @destroy_a()
declare spir_func void @destroy_b()
define internal spir_func void @construct_a() {
  %1 = call spir_func i32 @atexit(ptr @destroy_a)
  ret void
}
define internal spir_func void @construct_b() {
  %1 = call spir_func i32 @atexit(ptr @destroy_b)
  ret void
}

; NONE-NOT: heddle.
; NONE: define spir_kernel void @k()
; NONE-NOT: heddle.
;--- none.ll
define spir_kernel void @k() {
  ret void
}
