// An integer out of the range of half is infinity before it is divided, and a product that is out of
// it before it is converted: no fixed-point numbers.
// RUN: %heddlec --cpu=armv8.2-a+fp16 --extensions="cl_khr_fp16" -o %t.so %s
// RUN: llvm-objdump -d %t.so.divided %t.so.multiplied | FileCheck %s
// RUN: %heddlec --cpu=armv8.2-a+fp16+sve --extensions="cl_khr_fp16" -o %t.so %s
// RUN: llvm-objdump -d %t.so.divided %t.so.multiplied | FileCheck %s

#pragma OPENCL EXTENSION cl_khr_fp16 : enable

// CHECK-LABEL: <divided>:
// CHECK-NOT: ucvtf h{{[0-9]+}}, w{{[0-9]+}}, #
// CHECK: ucvtf h{{[0-9]+}}, w{{[0-9]+}}{{$}}
// CHECK-NOT: ucvtf h{{[0-9]+}}, w{{[0-9]+}}, #
kernel void divided(global half* out, uint number) {
  out[get_global_id(0)] = convert_half(number) / (half)1024.0f;
}

// CHECK-LABEL: <multiplied>:
// CHECK-NOT: fcvtzs w{{[0-9]+}}, h{{[0-9]+}}, #
// CHECK: fcvtzs w{{[0-9]+}}, h{{[0-9]+}}{{$}}
// CHECK-NOT: fcvtzs w{{[0-9]+}}, h{{[0-9]+}}, #
kernel void multiplied(global int* out, float number) {
  out[get_global_id(0)] = convert_int((half)number * (half)1024.0f);
}
