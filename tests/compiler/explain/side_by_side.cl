// RUN: %heddlec --cpu=x86-64-v4 %s -- -heddle-explain 2>&1 | FileCheck %s
// Rows that share what they load.
kernel void product(global float* c, global const float* a, global const float* b, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;
}
// CHECK: kernel 'product': 16 work-items wide: {{.*}}; 8 sub-groups side by side
// A chain of operations, of a different length for each work-item.
kernel void escape(global int* out, int width, int most) {
  int px = get_global_id(0), py = get_global_id(1);
  float cr = px * 0.01f, ci = py * 0.02f, x = 0, y = 0;
  int i = 0;
  while (i < most && x * x + y * y <= 4.0f) {
    float t = x * x - y * y + cr;
    y = 2 * x * y + ci;
    x = t;
    ++i;
  }
  out[py * width + px] = i;
}
// CHECK: kernel 'escape': 16 work-items wide: {{.*}}; 2 sub-groups side by side
// Which way a whole row goes depends on y: rows would have to wait for each other. But groups that follow each other in x
// run as one long row, and two registers for each value are two chains.
kernel void rows(global float* out, int width, int most) {
  int px = get_global_id(0), py = get_global_id(1);
  float x = px;
  for (int i = 0; i < py; ++i)
    x = x * 0.5f + 1;
  out[py * width + px] = x;
}
// CHECK: kernel 'rows': 32 work-items wide: {{.*}}; twice as many, since the registers hold two for each value{{$}}
