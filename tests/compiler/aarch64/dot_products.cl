// Dot products of four bytes: by instructions for bytes of one kind where the CPU has only these, mixed ones with flipped top bits; by
// one for mixed bytes where it has that, too.
// DEFINE: %{extensions} = --extensions="cl_khr_integer_dot_product __opencl_c_integer_dot_product_input_4x8bit"
// RUN: %heddlec --cpu=armv8.2-a+dotprod %{extensions} -o %t.dot %s -- -cl-std=CL3.0
// RUN: llvm-objdump -d --mattr=+dotprod %t.dot.signed_bytes %t.dot.unsigned_bytes %t.dot.mixed_bytes | FileCheck %s --check-prefixes=CHECK,ALIKE
// RUN: %heddlec --cpu=armv8.2-a+dotprod+i8mm %{extensions} -o %t.mixed %s -- -cl-std=CL3.0
// RUN: llvm-objdump -d --mattr=+dotprod,+i8mm %t.mixed.signed_bytes %t.mixed.unsigned_bytes %t.mixed.mixed_bytes | FileCheck %s --check-prefixes=CHECK,MIXED
// RUN: %heddlec --cpu=armv8-a %{extensions} -o %t.none %s -- -cl-std=CL3.0
// RUN: llvm-objdump -d --mattr=+dotprod,+i8mm %t.none.signed_bytes %t.none.unsigned_bytes %t.none.mixed_bytes | FileCheck %s --check-prefix=NONE

// CHECK-LABEL: <signed_bytes>:
// CHECK: sdot v{{[0-9]+}}.4s, v{{[0-9]+}}.16b, v{{[0-9]+}}.16b
// CHECK: ret
// NONE-NOT: dot v
kernel void signed_bytes(global const char4* a, global const char4* b, global int* sums) {
  const size_t i = get_global_id(0);
  sums[i] += dot(a[i], b[i]);
}

// CHECK-LABEL: <unsigned_bytes>:
// CHECK: udot v{{[0-9]+}}.4s, v{{[0-9]+}}.16b, v{{[0-9]+}}.16b
// CHECK: ret
kernel void unsigned_bytes(global const uchar4* a, global const uchar4* b, global uint* sums) {
  const size_t i = get_global_id(0);
  sums[i] += dot(a[i], b[i]);
}

// ALIKE-LABEL: <mixed_bytes>:
// ALIKE: eor v
// ALIKE: sdot v{{[0-9]+}}.4s, v{{[0-9]+}}.16b, v{{[0-9]+}}.16b
// ALIKE: ret
// MIXED-LABEL: <mixed_bytes>:
// MIXED-NOT: {{[[:space:]]sdot v}}
// MIXED: usdot v{{[0-9]+}}.4s, v{{[0-9]+}}.16b, v{{[0-9]+}}.16b
// MIXED-NOT: {{[[:space:]]sdot v}}
// MIXED: ret
kernel void mixed_bytes(global const char4* a, global const uchar4* b, global int* sums) {
  const size_t i = get_global_id(0);
  sums[i] += dot(a[i], b[i]);
}
