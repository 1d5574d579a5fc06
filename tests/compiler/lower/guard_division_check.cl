// RUN: %heddlec %s --check=division --stage=guard-division | FileCheck %s
// With the check, the runtime is told of a divisor that traps, and whether it is zero; constant ones need none.
// CHECK-LABEL: define internal i32 @unsigned_division
uint unsigned_division(uint a, uint b) { return a / b; }
// CHECK: [[ZERO:%.*]] = icmp eq i32 [[B:%.*]], 0
// CHECK: [[SAFE:%.*]] = select i1 [[ZERO]], i32 1, i32 [[B]]
// CHECK: br i1 [[ZERO]], label %[[FAULT:[0-9]+]], label %[[GOOD:[0-9]+]]
// CHECK: [[FAULT]]:
// CHECK-NEXT: call void (i32, ptr, ...) @__heddle_check(i32 24, ptr @heddle.place{{[.0-9]*}}, i1 [[ZERO]])
// CHECK: [[GOOD]]:
// CHECK-NEXT: udiv i32 %{{.*}}, [[SAFE]]
// CHECK-LABEL: define internal i32 @by_constant
int by_constant(int a) { return a / 7; }
// CHECK-NOT: __heddle_check
// CHECK: ret i32
kernel void k(global int* a) { a[0] = unsigned_division(a[1], a[2]) + by_constant(a[3]); }
