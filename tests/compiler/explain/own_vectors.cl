// RUN: %heddlec --cpu=x86-64-v4 %s -- -heddle-explain 2>&1 | FileCheck %s
// RUN: %heddlec --cpu=x86-64-v3 %s -- -heddle-explain 2>&1 | FileCheck %s --check-prefix=AVX2
// Kernels with vector types that fill registers: where each step waits for the last one, lanes
// compute on components of several work-items.
kernel void chain(global float8* a, float f) {
  float8 s = a[get_global_id(0)];
  for (int i = 0; i < 64; ++i)
    s = s * f + 0.5f;
  a[get_global_id(0)] = s;
}
// CHECK: kernel 'chain': 16 work-items wide: {{.*}}; its own vectors would wait for their results
// AVX2: kernel 'chain': 8 work-items wide: {{.*}}; its own vectors would wait for their results
kernel void int_chain(global int16* a, int f) {
  int16 x = a[get_global_id(0)], y = f;
  for (int i = 0; i < 64; ++i) {
    x = x * y + x;
    y = y * x + y;
  }
  a[get_global_id(0)] = y;
}
// CHECK: kernel 'int_chain': 16 work-items wide: {{.*}}; its own vectors would wait for their results
// Sums that do not wait for each other, and rows of memory, stay as they are written.
kernel void independent(global const float16* a, global float16* b, int n) {
  float16 s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  size_t row = get_global_id(0) * n;
  for (int i = 0; i < n; i += 4) {
    s0 += a[row + i];
    s1 += a[row + i + 1];
    s2 += a[row + i + 2];
    s3 += a[row + i + 3];
  }
  b[get_global_id(0)] = s0 + s1 + s2 + s3;
}
// CHECK: kernel 'independent': 1 work-item wide: its own vectors fill the registers: it is vectorized by hand
// AVX2: kernel 'independent': 1 work-item wide: its own vectors fill the registers: it is vectorized by hand
kernel void copied(global float16* a, global float16* b) { a[get_global_id(0)] = b[get_global_id(0)] * 2; }
// CHECK: kernel 'copied': 1 work-item wide: its own vectors fill the registers: it is vectorized by hand
