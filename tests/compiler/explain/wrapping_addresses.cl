// RUN: %heddlec --cpu=x86-64-v3 %s -- -heddle-explain 2>&1 | FileCheck %s
// Addresses of consecutive elements take no registers, also where a check at run time finds out that they are.
// CHECK: kernel 'project': 64 work-items wide: {{.*}}; more, since they walk down neighboring columns{{$}}
kernel void project(global float* a, global float* r, global const float* q, int k, int m, int n) {
  int j = get_global_id(0) + k + 1;
  if (j >= n)
    return;
  r[k * n + j] = 0;
  for (int i = 0; i < m; ++i)
    r[k * n + j] += q[i * n + k] * a[i * n + j];
  for (int i = 0; i < m; ++i)
    a[i * n + j] -= q[i * n + k] * r[k * n + j];
}
