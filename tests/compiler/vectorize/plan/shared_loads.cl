// REQUIRES: x86
// RUN: %heddlec --cpu=x86-64-v4 %s -- -heddle-explain 2>&1 | FileCheck %s --check-prefixes=CHECK,FAST
// RUN: %heddlec --cpu=znver4 %s -- -heddle-explain 2>&1 | FileCheck %s --check-prefixes=CHECK,SLOW
// Rows side by side that load the same.

// Without loops, too.
// CHECK: kernel 'center': {{.*}}; 4 sub-groups side by side
kernel void center(global float* a, global const float* mean, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  a[y * n + x] -= mean[x];
}

// Each row loads its own.
// CHECK: kernel 'add':
// CHECK-NOT: side by side
kernel void add(global float* a, global const float* b, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  a[y * n + x] += b[y * n + x];
}

// What lanes walk through fills a register, if gathers are fast.
// FAST: kernel 'shared': 16 work-items wide
// SLOW: kernel 'shared': 8 work-items wide
kernel __attribute__((reqd_work_group_size(16, 16, 1))) void shared(global float* c, global const float* a, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  float s = 0;
  for (int k = 0; k < n; ++k)
    s += a[y * n + k] * a[x * n + k];
  c[y * n + x] = s;
}
