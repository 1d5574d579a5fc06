// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenCL C 6.15.2: fused multiply-add and square roots.
#include "math_machine.h"

MATH float fma(float a, float b, float c) { return FMA(a, b, c); }
MATH double fma(double a, double b, double c) { return FMA(a, b, c); }
MATH half fma(half a, half b, half c) { return FMA(a, b, c); }

MATH float mad(float a, float b, float c) { return MAD(a, b, c); }
MATH double mad(double a, double b, double c) { return MAD(a, b, c); }
MATH half mad(half a, half b, half c) { return MAD(a, b, c); }

MATH float sqrt(float x) { return SQRT(x); }
MATH double sqrt(double x) { return SQRT(x); }
MATH half sqrt(half x) { return SQRT(x); }

// Refines an estimate: r (1 - h)^(-1/2) with h = 1 - x r^2. With AVX-512 this is NaN, and then
// replaced, if the estimate is the result.
MATH float rsqrt(float x) {
  if (!has_pick_step()) {
    float r = coarse_rsqrt_step(x), h = MAD(-(x * r), r, 1.0f);
    r = MAD(r * h, POLY2(h, 0.5f, 0.375f), r);
    if (RARELY(!(ABS(h) < 1.0f)))
      r = 1.0f / SQRT(x);
    return r;
  }
  float r = rsqrt_step(x);
  float h = FMA(-(x * r), r, 1.0f);
  h = h < 1.0f ? h : 1.0f;
  return MAD(r * h, 0.5f, r);
}
MATH double rsqrt(double x) {
  if (!has_pick_step())
    return 1.0 / SQRT(x);
  double r = rsqrt_step(x);
  double h = FMA(-(x * r), r, 1.0);
  h = h < 1.0 ? h : 1.0;
  return MAD(r * h, POLY3(h, 0.5, 0.375, 0.3125), r);
}
HALF_UNARY(rsqrt)
