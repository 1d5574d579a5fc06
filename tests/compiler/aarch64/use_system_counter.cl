// The clock of kernels is the counter of the system.
// RUN: %heddlec --cpu=armv8-a -o %t.so %s
// RUN: llvm-objdump -d %t.so | FileCheck %s

// CHECK-LABEL: <clock>:
// CHECK: mrs x{{[0-9]+}}, CNTVCT_EL0
kernel void clock(global ulong* out) { out[get_global_id(0)] = __builtin_readcyclecounter(); }
