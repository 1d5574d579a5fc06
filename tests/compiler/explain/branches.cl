// RUN: %heddlec --cpu=x86-64-v4 %s -- -heddle-explain 2>&1 | FileCheck %s --match-full-lines
// A branch that all work-items take together is none of the user's business.
kernel void branches(global float* a, int n) {
  size_t i = get_global_id(0);
  if (n > 7)
    a[i] = fabs(a[i]);
  if (a[i] > 0)
    for (int k = 0; k < n; ++k)
      a[i] += a[i] * k + 1 / a[i];
}
// CHECK: {{.*}}branches.cl:3: kernel 'branches': 64 {{.*}}
// CHECK-NEXT: {{.*}}kernel 'branches': barriers: none
// CHECK-NEXT: {{.*}}kernel 'branches': stack: {{.*}}
// CHECK-NEXT: {{.*}}.cl:7:12: divergent branch: work-items take different branches: both sides run, one after the other, each under a mask
// CHECK-NOT: {{.*}}.cl:{{.*}}
