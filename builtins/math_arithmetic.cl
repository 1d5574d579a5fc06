// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenCL C 6.15.2: fused multiply-add and square roots.
#include "math_machine.h"

MATH float fma(float a, float b, float c) { return FMA(a, b, c); }
MATH double fma(double a, double b, double c) { return FMA(a, b, c); }

// The product is exact in float. The sum is rounded to odd, so that the second rounding to half
// gives the correctly rounded result.
MATH half fma(half a, half b, half c) {
  float p = (float)a * (float)b, q = (float)c;
  float s = p + q;
  float t = s - p;
  float error = (p - (s - t)) + (q - t);
  int bits = as_int(s);
  int away = (error > 0) == (s > 0) ? 1 : -1;
  bool adjust = error != 0 && !(bits & 1) && ABS(s) < INF_F;
  return (half)as_float(adjust ? bits + away : bits);
}

MATH float mad(float a, float b, float c) { return MAD(a, b, c); }
MATH double mad(double a, double b, double c) { return MAD(a, b, c); }
MATH half mad(half a, half b, half c) { return (half)MAD((float)a, (float)b, (float)c); }

MATH float sqrt(float x) { return SQRT(x); }
MATH double sqrt(double x) { return SQRT(x); }
HALF_UNARY(sqrt)

// Refines an estimate: r (1 - h)^(-1/2) with h = 1 - x r^2. This is NaN, and then replaced, if the
// estimate is the result.
MATH float rsqrt(float x) {
  float r = rsqrt_step(x);
  float h = FMA(-(x * r), r, 1.0f);
  h = h < 1.0f ? h : 1.0f;
  return MAD(r * h, 0.5f, r);
}
MATH double rsqrt(double x) {
  double r = rsqrt_step(x);
  double h = FMA(-(x * r), r, 1.0);
  h = h < 1.0 ? h : 1.0;
  return MAD(r * h, POLY3(h, 0.5, 0.375, 0.3125), r);
}
HALF_UNARY(rsqrt)
