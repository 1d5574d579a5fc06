// Code for the registers that the machine has: whole ones, predicated accesses, gathers and scatters. Those of 128 bits are NEON's,
// and NEON it is where the length is no power of two.
// REQUIRES: qemu
// RUN: env QEMU_CPU=max,sve256=on HEDDLE_SVE_BITS=256 %heddlec --cpu=sve --extensions="cl_khr_fp16" -o %t.256 %s
// RUN: llvm-objdump -d --mattr=+sve,+fullfp16 %t.256.predicated %t.256.gathered %t.256.scattered %t.256.halves | FileCheck %s
// RUN: env QEMU_CPU=max,sve512=on HEDDLE_SVE_BITS=512 %heddlec --cpu=sve2 --extensions="cl_khr_fp16" -o %t.512 %s
// RUN: llvm-objdump -d --mattr=+sve2,+fullfp16 %t.512.predicated %t.512.gathered %t.512.scattered %t.512.halves | FileCheck %s
// RUN: env QEMU_CPU=max,sve128=on HEDDLE_SVE_BITS=128 %heddlec --cpu=sve -o %t.128 --extensions="cl_khr_fp16" %s
// RUN: llvm-objdump -d --mattr=+sve,+fullfp16 %t.128.predicated | FileCheck %s --check-prefix=SHORT
// RUN: env QEMU_CPU=max,sve384=on HEDDLE_SVE_BITS=384 %heddlec --cpu=sve -o %t.384 --extensions="cl_khr_fp16" %s
// RUN: llvm-objdump -d --mattr=+sve,+fullfp16 %t.384.predicated | FileCheck %s --check-prefix=SHORT

#pragma OPENCL EXTENSION cl_khr_fp16 : enable

// CHECK-LABEL: <predicated>:
// CHECK: ld1w { z{{[0-9]+}}.s }, p{{[0-9]+}}/z, [
// CHECK: st1w { z{{[0-9]+}}.s }, p{{[0-9]+}}, [
kernel void predicated(global const float* a, global float* b, global const int* c) {
  const size_t i = get_global_id(0);
  if (c[i] > 7)
    b[i] = a[i] * 3;
}

// SHORT-LABEL: <predicated>:
// SHORT-NOT: ld1w {
// SHORT: ret
// CHECK-LABEL: <gathered>:
// CHECK: ld1w { z{{[0-9]+}}.{{[sd]}} }, p{{[0-9]+}}/z, [x{{[0-9]+}}, z
kernel void gathered(global const float* a, global float* b, global const int* c) {
  const size_t i = get_global_id(0);
  b[i] = a[c[i]];
}

// CHECK-LABEL: <scattered>:
// CHECK: st1w { z{{[0-9]+}}.{{[sd]}} }, p{{[0-9]+}}, [x{{[0-9]+}}, z
kernel void scattered(global const float* a, global float* b, global const int* c) {
  const size_t i = get_global_id(0);
  b[c[i]] = a[i];
}

// CHECK-LABEL: <halves>:
// CHECK: fmul z{{[0-9]+}}.h
kernel void halves(global half* a) {
  const size_t i = get_global_id(0);
  a[i] = a[i] * a[i];
}
