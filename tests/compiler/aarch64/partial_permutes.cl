// Lanes that fill an SVE register only in part: each of two values is looked up, in a table of its own.
// REQUIRES: qemu
// RUN: env QEMU_CPU=max,sve256=on HEDDLE_SVE_BITS=256 %heddlec --cpu=sve --width=4 --verify-each -o %t.256 %s
// RUN: llvm-objdump -d --mattr=+sve %t.256 | FileCheck %s
// RUN: env QEMU_CPU=max,sve512=on HEDDLE_SVE_BITS=512 %heddlec --cpu=sve2 --width=8 --verify-each -o %t.512 %s
// RUN: llvm-objdump -d --mattr=+sve2 %t.512 | FileCheck %s

float __heddle_sub_group_shuffle_float(float value, uint lane);

// CHECK-LABEL: <shuffled>:
// CHECK: tbl z{{[0-9]+}}.s, { z{{[0-9]+}}.s }, z{{[0-9]+}}.s
// CHECK: tbl z{{[0-9]+}}.s, { z{{[0-9]+}}.s }, z{{[0-9]+}}.s
kernel void shuffled(global float* a, global const float* b, global const uint* from) {
  const size_t i = get_global_id(0);
  const float of_a = __heddle_sub_group_shuffle_float(a[i], from[i]);
  const float of_b = __heddle_sub_group_shuffle_float(b[i], from[i]);
  a[i] = from[i] < 4 ? of_a : of_b;
}
