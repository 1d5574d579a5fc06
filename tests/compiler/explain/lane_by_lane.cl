// RUN: %heddlec --cpu=x86-64-v3 %s -- -heddle-explain -cl-std=CL3.0 2>&1 | FileCheck %s --match-full-lines
kernel void odd(global volatile int* v, global long* q, global int* counts) {
  size_t i = get_global_id(0);
  v[q[i]] = 3;
  q[i] = q[i] / (q[i + 1] | 1);
  atomic_inc(&counts[v[i] & 7]);
}
// CHECK: {{.*}}lane_by_lane.cl:2: kernel 'odd': {{[48]}} work-items wide: its data is mostly of {{64|32}} bits, and registers are of 256
// CHECK-NEXT: {{.*}}kernel 'odd': barriers: none
// CHECK-NEXT: {{.*}}kernel 'odd': stack: {{.*}}
// CHECK-NEXT: {{.*}}.cl:4:11: scalarized: atomic accesses, and volatile ones without a stride between work-items or to private variables, are executed one work-item at a time
// CHECK-NEXT: {{.*}}.cl:5:15: scalar divisions: CPUs have no vector division of 64-bit integers
// CHECK-NEXT: {{.*}}.cl:6:3: scalarized: atomic operations are executed one work-item at a time
// CHECK-NOT: {{.*}}.cl:{{.*}}
