// Halves are computed with as floats in NEON, and as halves from armv8.2-a on.
// RUN: %heddlec --cpu=armv8-a --extensions="cl_khr_fp16" -o %t.so %s
// RUN: llvm-objdump -d %t.so | FileCheck %s --check-prefix=FLOATS
// RUN: %heddlec --cpu=armv8.2-a+fp16 --extensions="cl_khr_fp16" -o %t.so %s
// RUN: llvm-objdump -d %t.so | FileCheck %s --check-prefix=HALVES

#pragma OPENCL EXTENSION cl_khr_fp16 : enable

// FLOATS-LABEL: <product>:
// FLOATS: fmul v{{[0-9]+}}.4s
// FLOATS: fcvtn v{{[0-9]+}}.4h
// HALVES-LABEL: <product>:
// HALVES: fmul v{{[0-9]+}}.8h
kernel void product(global half* a) {
  const size_t i = get_global_id(0);
  a[i] = a[i] * a[i];
}
