// RUN: %heddlec %s --stage=guard-division | FileCheck %s
// Divisors that may trap are replaced; constant ones stay.
// CHECK-LABEL: define internal i32 @unsigned_division
uint unsigned_division(uint a, uint b) { return a / b; }
// CHECK: [[B:%.*]] = freeze i32
// CHECK: [[ZERO:%.*]] = icmp eq i32 [[B]], 0
// CHECK: [[SAFE:%.*]] = select i1 [[ZERO]], i32 1, i32 [[B]]
// CHECK: udiv i32 %{{.*}}, [[SAFE]]
// CHECK-LABEL: define internal i32 @signed_remainder
int signed_remainder(int a, int b) { return a % b; }
// CHECK-DAG: icmp eq i32 %{{.*}}, -2147483648
// CHECK-DAG: icmp eq i32 %{{.*}}, -1
// CHECK: srem i32
// CHECK-LABEL: define internal i32 @by_constant
int by_constant(int a) { return a / 7; }
// CHECK-NOT: freeze
// CHECK: sdiv i32 %{{.*}}, 7
kernel void k(global int* a) { a[0] = unsigned_division(a[1], a[2]) + signed_remainder(a[1], a[2]) + by_constant(a[3]); }
