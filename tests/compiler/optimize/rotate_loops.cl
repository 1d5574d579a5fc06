// REQUIRES: x86
// RUN: %heddlec %s --stage=simplify --cpu=x86-64-v4 | FileCheck %s
// Loops are rotated, however many there are: each block with a condition at its end is the whole loop.
// CHECK-LABEL: define dso_local void @many.body(
// CHECK-COUNT-64: br i1 %exitcond{{.*}}, label %{{.*}}, label %for.body{{.*}}, !llvm.loop
// CHECK-NOT: !llvm.loop !{{.*}} %for.cond
// CHECK: ret void
#define LOOP for (int c = 0; c < n; ++c) x = a[x & 1023] + c;
#define LOOPS LOOP LOOP LOOP LOOP LOOP LOOP LOOP LOOP
kernel void many(global int* a, int n) {
  int x = get_global_id(0);
  LOOPS LOOPS LOOPS LOOPS LOOPS LOOPS LOOPS LOOPS
  a[get_global_id(0)] = x;
}
