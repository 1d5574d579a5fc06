// Reciprocals are an estimate and one step of Newton's method, in registers of four floats.
// RUN: %heddlec --cpu=armv8-a -o %t.so %s
// RUN: llvm-objdump -d %t.so | FileCheck %s

// CHECK-LABEL: <reciprocal>:
// CHECK-DAG: frsqrte v{{[0-9]+}}.4s
// CHECK-DAG: frsqrts v{{[0-9]+}}.4s
// CHECK: ret
kernel void reciprocal(global float* a) {
  const size_t i = get_global_id(0);
  a[i] = native_rsqrt(a[i]);
}
