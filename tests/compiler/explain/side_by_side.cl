// RUN: %heddlec --cpu=x86-64-v4 %s -- -heddle-explain 2>&1 | %filecheck %s
// Rows that share what they load.
kernel void product(global float* c, global const float* a, global const float* b, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;
}
// CHECK: kernel 'product': 16 work-items wide: {{.*}}; 8 sub-groups side by side
