// REQUIRES: x86
// RUN: %heddlec %s --print-after=promote-short-variables --cpu=x86-64-v4 2>&1 | FileCheck %s
// RUN: %heddlec %s --print-after=promote-short-variables --cpu=x86-64-v4 -- -DFEW 2>&1 | FileCheck %s --check-prefix=FEW
// The counters of 64 loops are registers before SROA; the variable that all loops use is left to it, and so are those of
// functions that have few.
// CHECK: define {{.*}} @many.body(
// CHECK-NOT: %c{{[0-9]*}} = alloca
// CHECK: %x = alloca i32
// CHECK-NOT: %c{{[0-9]*}} = alloca
// CHECK: ret void
// FEW: define {{.*}} @many.body(
// FEW: %c{{[0-9]*}} = alloca
// FEW: ret void
#define LOOP for (int c = 0; c < n; ++c) x = a[x & 1023] + c;
#define LOOPS LOOP LOOP LOOP LOOP LOOP LOOP LOOP LOOP
kernel void many(global int* a, int n) {
  int x = get_global_id(0);
  LOOPS
#ifndef FEW
  LOOPS LOOPS LOOPS LOOPS LOOPS LOOPS LOOPS
#endif
  a[get_global_id(0)] = x;
}
