// RUN: %heddlec %s 2>&1 | FileCheck %s --allow-empty
// Nothing is said that nobody has asked for.
kernel void gathers(global float* a, global int* b) { a[b[get_global_id(0)]] = 1; }
// CHECK-NOT: {{.}}
