// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenCL C 6.15.2: cbrt and hypot.
#include "math_exp.h"

// Dividing the exponent gives an estimate r of the cube root of 1 / b within 4 %; r (1 - h)^(-1/3)
// with h = 1 - b r^3 refines it. The last step is the same for y = b r^2, with a residual b - y^3
// that is small enough to need no extra precision. Only subnormal numbers are scaled: no product
// here overflows. 2^(i / 3) for i = 0, 1, and -1 (index 15).
static __constant float kThirds[] = {0x1p+0f, 0x1.428a3p+0f, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                                     0,       0x1.965feap-1f};
// With tables: a = m 2^(3 q + i).
HELPER float cbrt_from_table(float a) {
  float f = significand_step(a) - 1.0f, e = exponent_step(a);
  float q = RINT(e * 0x1.555556p-2f);
  float t = pick_step(as_uint(FMA(-3.0f, q, e) + SHIFTER_F), kThirds);
  float p = POLY8(f, 0x1.55553cp-2f, -0x1.c70d7ep-4f, 0x1.f82b72p-5f, -0x1.47abc2p-5f,
                  0x1.ab08eap-6f, -0x1.d4eb54p-7f, 0x1.5dac5ep-8f, -0x1.f1f57p-11f);
  return scale_step(MAD(t * f, p, t), q);
}
MATH float cbrt(float x) {
  float a = ABS(x);
  if (has_pick_step())
    return COPYSIGN(cbrt_from_table(a), x);
  bool small = a < 0x1p-100f;
  float b = small ? a * 0x1p60f : a;
  float r = as_float((int)MAD((float)as_int(b), -0x1.555556p-2f, 0x1.52873cp+30f));
  float h = FMA(-(b * r), r * r, 1.0f);
  r = MAD(r * h, POLY2(h, 0x1.56bd1ap-2f, 0x1.ca4c1cp-3f), r);
  float s = r * r, y = b * s;
  float e = FMA(-(y * y), y, b);
  y = MAD(e * s, MAD(e * (s * r), 0x1.c71c72p-3f, 0x1.555556p-2f), y);
  y = small ? y * 0x1p-20f : y;
  return as_uint(a) - 1 < 0x7f7fffff ? COPYSIGN(y, x) : x;
}
MATH double cbrt(double x) {
  double a = ABS(x);
  bool small = a < 0x1p-900;
  double b = small ? a * 0x1p600 : a;
  ulong third = (as_ulong(b) >> 32) * 0x55555556;
  double r = as_double(0x553ee96500000000 - (third & 0xffffffff00000000));
  double h = FMA(-(b * r), r * r, 1.0);
  r = MAD(r * h,
          POLY4(h, 0x1.55543337890cap-2, 0x1.c7180f1debb49p-3, 0x1.6561d54084d0ep-3,
                0x1.2b08e13b3f90dp-3),
          r);
  double s = r * r, y = b * s;
  double e = FMA(-(y * y), y, b);
  y = MAD(e * s, MAD(e * (s * r), 0x1.c71c71c71c71cp-3, 0x1.5555555555555p-2), y);
  y = small ? y * 0x1p-200 : y;
  return as_ulong(a) - 1 < 0x7fefffffffffffff ? COPYSIGN(y, x) : x;
}
HALF_UNARY(cbrt)

// Where the sum of squares is not between LEAST and MOST, both numbers are scaled so that no square
// overflows and no significant one underflows.
#define HYPOT(T, LEAST, MOST, LARGE, DOWN, UP)                                                     \
  MATH T hypot(T x, T y) {                                                                         \
    T sum = MAD(x, x, y * y), r = SQRT(sum);                                                       \
    if (RARELY(!(sum >= LEAST && sum <= MOST))) {                                                  \
      T a = ABS(x), b = ABS(y);                                                                    \
      bool large = a > LARGE || b > LARGE;                                                         \
      T u = a * (large ? DOWN : UP), v = b * (large ? DOWN : UP);                                  \
      r = SQRT(MAD(u, u, v * v)) * (large ? UP : DOWN);                                            \
      r = a == (T)INFINITY || b == (T)INFINITY ? (T)INFINITY : r;                                  \
    }                                                                                              \
    return r;                                                                                      \
  }
HYPOT(float, 0x1p-80f, 0x1p120f, 1.0f, 0x1p-90f, 0x1p90f)
HYPOT(double, 0x1p-800, 0x1p1000, 1.0, 0x1p-700, 0x1p700)
HALF_BINARY(hypot)
