// Sub-groups of short kernels fill four registers for each value: the loop over sub-groups, with the position that faults are told with,
// would take as long as their code. Longer ones fill two.
// RUN: %heddlec --cpu=armv8-a --local=256 --disjoint -o %t %s -- -heddle-explain 2>&1 | FileCheck %s --check-prefix=WHY
// RUN: llvm-objdump -d --no-leading-addr --no-show-raw-insn %t.axpy | FileCheck %s

// WHY: 'axpy': 16 work-items wide{{.*}}; more, since they are short
// WHY: 'longer': 8 work-items wide{{.*}}; twice as many

// CHECK-LABEL: <axpy>:
// CHECK-COUNT-4: fmla v{{[0-9]+}}.4s
// CHECK-NOT: fmla
// CHECK: ret
kernel void axpy(global float* z, global const float* x, global const float* y, float a) {
  const size_t i = get_global_id(0);
  z[i] = a * x[i] + y[i];
}

kernel void longer(global float* z, global const float* x, global const float* y, float a) {
  const size_t i = get_global_id(0);
  const float b = x[i], c = y[i], d = b * c, e = b - c;
  z[i] = d * e * (d + e) * (b + e) * (c - d);
}
