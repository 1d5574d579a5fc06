// Code is scheduled before registers are allocated, and not once more.
// RUN: %heddlec --cpu=x86-64-v4 --time-passes=2 -o %t.so %s 2>&1 | FileCheck %s
// CHECK-NOT: Post RA top-down list latency scheduler
// CHECK: Machine Instruction Scheduler
// CHECK-NOT: Post RA top-down list latency scheduler
kernel void axpy(global float* y, global const float* x, float a) {
  const size_t i = get_global_id(0);
  y[i] = fma(a, x[i], y[i]);
}
