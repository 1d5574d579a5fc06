// Sums of products are rounded once each also in a work-item's own loop, where LLVM adds the elements of vectors in order.
// REQUIRES: qemu
// RUN: env HEDDLE_SVE_BITS=256 QEMU_CPU=max,sve256=on %heddlec --cpu=sve --width=1 --local=16x4x1 -o %t.sve %s
// RUN: llvm-objdump -d --mattr=+sve %t.sve | FileCheck %s
// RUN: %heddlec --cpu=armv8-a --width=1 --local=16x4x1 -o %t.neon %s
// RUN: llvm-objdump -d %t.neon | FileCheck %s

// CHECK-LABEL: <product>:
// CHECK-NOT: {{fmul|fadd}}
// CHECK: fmadd s
// CHECK-NOT: {{fmul|fadd}}
kernel void product(global float* out, global const float* in, int n) {
  const size_t x = get_global_id(0), y = get_global_id(1), side = get_global_size(0);
  float s = 0;
  for (int k = 0; k < n; ++k)
    s += in[y * side + k] * in[k * side + x];
  out[y * side + x] = s;
}
