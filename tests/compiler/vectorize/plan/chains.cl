// REQUIRES: x86
// RUN: %heddlec %s --stage=vectorize --cpu=x86-64-v4 | FileCheck %s
// RUN: %heddlec %s --stage=vectorize --cpu=x86-64-v4 -- -cl-unsafe-math-optimizations | FileCheck %s --check-prefix=UNSAFE
#define GROUPS __attribute__((reqd_work_group_size(256, 1, 1)))

// A loop that is one chain of arithmetic has four registers for each value, which are independent.
// CHECK-LABEL: define internal void @chain.whole(
// CHECK: fmuladd.v64f32(<64 x float>
// UNSAFE-LABEL: define internal void @chain.whole(
// UNSAFE: f{{add|sub|mul}} {{.*}}<32 x float>
kernel GROUPS void chain(global float* a, int n) {
  float x = a[get_global_id(0)];
  for (int i = 0; i < n; ++i)
    x = 10.0f - x * 0.99f;
  a[get_global_id(0)] = x;
}

// Two for values that do not depend on each other.
// CHECK-LABEL: define internal void @eight.whole(
// CHECK: fmuladd.v32f32(<32 x float>
kernel GROUPS void eight(global float* a, int n) {
  float x[8];
  for (int k = 0; k < 8; ++k)
    x[k] = a[get_global_id(0) + k];
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 8; ++k)
      x[k] = (float)i - x[k] * x[k];
  for (int k = 1; k < 8; ++k)
    x[0] += x[k];
  a[get_global_id(0)] = x[0];
}

// Straight code that is too long for the CPU to begin the next work-items.
// CHECK-LABEL: define internal void @straight.whole(
// CHECK: mul <64 x i32>
#define STEP(x) x = (x ^ x >> 15) * 0x2c1b3c6du;
#define STEPS(x) STEP(x) STEP(x) STEP(x) STEP(x) STEP(x) STEP(x) STEP(x) STEP(x) STEP(x) STEP(x)
kernel GROUPS void straight(global uint* a) {
  uint x = a[get_global_id(0)];
  STEPS(x) STEPS(x) STEPS(x) STEPS(x) STEPS(x) STEPS(x)
  a[get_global_id(0)] = x;
}

// Values that the registers do not hold twice are spilled where the chain is so long; not where lanes access lines of
// their own, as many as there are lanes.
// CHECK-LABEL: define internal void @spilling.whole(
// CHECK: load <32 x double>
// CHECK-LABEL: define internal void @apart.whole(
// CHECK: fmuladd.v8f64(<8 x double>
#define LINK(j) s = s * v[j] + v[(j * 7 + 3) % 24]; v[(j + 1) % 24] += s * 0.01;
#define LINKS(j) LINK(j) LINK(j + 1) LINK(j + 2) LINK(j + 3) LINK(j + 4) LINK(j + 5) LINK(j + 6) LINK(j + 7)
#define ALL_LINKS LINKS(0) LINKS(8) LINKS(16)
#define COMPUTE(address)                                                                                               \
  double v[24], s = 0;                                                                                                 \
  __attribute__((opencl_unroll_hint)) for (int j = 0; j < 24; ++j) v[j] = address;                                     \
  ALL_LINKS ALL_LINKS ALL_LINKS ALL_LINKS ALL_LINKS ALL_LINKS
kernel GROUPS void spilling(global double* out, global const double* a) {
  const int i = get_global_id(0);
  COMPUTE(a[j * 4096 + i])
  out[i] = s;
}
kernel GROUPS void apart(global double* out, global const double* a) {
  const int i = get_global_id(0);
  COMPUTE(a[i * 4096 + j])
  out[i] = s;
}
