// Lanes are permuted by table lookups of bytes: sixteen lanes of words are a table of four registers.
// RUN: %heddlec --cpu=armv8-a --width=16 -o %t.so %s
// RUN: llvm-objdump -d %t.so | FileCheck %s

float __heddle_sub_group_shuffle_float(float value, uint lane);

// CHECK-LABEL: <shuffled>:
// CHECK: tbl v{{[0-9]+}}.16b, { v{{[0-9]+}}.16b, v{{[0-9]+}}.16b, v{{[0-9]+}}.16b, v{{[0-9]+}}.16b }
kernel void shuffled(global float* a, global const uint* from) {
  const size_t i = get_global_id(0);
  a[i] = __heddle_sub_group_shuffle_float(a[i], from[i]);
}
