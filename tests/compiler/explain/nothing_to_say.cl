// RUN: %heddlec --cpu=x86-64-v4 %s -- -heddle-explain 2>&1 | FileCheck %s --match-full-lines
// Consecutive, uniform and reversed accesses and a uniform loop: one wide instruction each.
kernel void plain(global float* a, global const float* b, constant float* weights, int n) {
  size_t i = get_global_id(0);
  float sum = b[1000 - i];
  for (int k = 0; k < n; ++k)
    sum = fma(weights[k], a[i], sum);
  a[i] = sum;
}
// CHECK: {{.*}}nothing_to_say.cl:3: kernel 'plain': 64 work-items wide: its data is mostly of 32 bits, and registers are of 512; more, since they wait for their results
// CHECK-NEXT: {{.*}}kernel 'plain': barriers: none
// CHECK-NEXT: {{.*}}kernel 'plain': stack: {{.*}}
// CHECK-NOT: {{.*}}.cl:{{.*}}
