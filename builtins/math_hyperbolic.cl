// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenCL C 6.15.2: hyperbolic functions.
#include "math_exp.h"

// 2^(n - 2) and *down = 2^(-n - 2) for an integral n >= 0 whose first power is finite. The second
// one stays as large as it can without counting beside the first, so that no shortcut is needed for
// subnormal numbers.
#define QUARTER_POWERS(T, MOST)                                                                    \
  HELPER T quarter_powers(T n, T* down) {                                                          \
    if (has_pick_step()) {                                                                         \
      *down = scale_step((T)0.25, -n);                                                             \
      return scale_step((T)0.25, n);                                                               \
    }                                                                                              \
    *down = scale_normal((T)0.25, n > MOST ? -MOST : -n);                                          \
    return scale_normal((T)0.25, n);                                                               \
  }
QUARTER_POWERS(float, 60.0f)
QUARTER_POWERS(double, 500.0)

// a = n ln 2 + r for a >= 0: the functions of r are polynomials, with cosh r - 1 instead of cosh r;
// those of n ln 2 are halved, so that they do not overflow before the result.
HELPER float hyperbolic_parts(float a, float* sinh_r, float* cosh_r_1, float* sinh_n) {
  float n, r = reduce_exp_whole(a > 89.6f ? 89.6f : a, &n), z = r * r;
  *sinh_r = MAD(r * z, POLY2(z, 0x1.5554b2p-3f, 0x1.12268ap-7f), r);
  *cosh_r_1 = z * POLY3(z, 0.5f, 0x1.5554e8p-5f, 0x1.6d4c6ap-10f);
  float down, up = quarter_powers(n, &down);
  *sinh_n = up - down;
  return up + down;
}
HELPER double hyperbolic_parts(double a, double* sinh_r, double* cosh_r_1, double* sinh_n) {
  double n, r = reduce_exp_whole(a > 710.6 ? 710.6 : a, &n), z = r * r;
  *sinh_r = MAD(r * z,
                POLY5(z, 0x1.5555555555558p-3, 0x1.111111110f8b2p-7, 0x1.a01a01af357e6p-13,
                      0x1.71ddf9d9f8012p-19, 0x1.af5c5d314e33ep-26),
                r);
  *cosh_r_1 = z * POLY5(z, 0.5, 0x1.555555555412bp-5, 0x1.6c16c17876a04p-10, 0x1.a019b78b1afeep-16,
                        0x1.289423989c2bp-22);
  double down, up = quarter_powers(n, &down);
  *sinh_n = up - down;
  return up + down;
}

#define HYPERBOLIC(T)                                                                              \
  MATH T sinh(T x) {                                                                               \
    T sinh_r, cosh_r_1, sinh_n, cosh_n = hyperbolic_parts(ABS(x), &sinh_r, &cosh_r_1, &sinh_n);    \
    T v = sinh_n + MAD(cosh_n, sinh_r, sinh_n * cosh_r_1);                                         \
    return COPYSIGN(v + v, x);                                                                     \
  }                                                                                                \
  MATH T cosh(T x) {                                                                               \
    T sinh_r, cosh_r_1, sinh_n, cosh_n = hyperbolic_parts(ABS(x), &sinh_r, &cosh_r_1, &sinh_n);    \
    T v = cosh_n + MAD(sinh_n, sinh_r, cosh_n * cosh_r_1);                                         \
    return v + v;                                                                                  \
  }
HYPERBOLIC(float)
HYPERBOLIC(double)
HALF_UNARY(sinh)
HALF_UNARY(cosh)

// (e^2x - 1) / (e^2x + 1), which rounds to 1 at the limit.
MATH float tanh(float x) {
  float a = ABS(x);
  float e = expm1_reduced(2.0f * (a > 10.0f ? 10.0f : a));
  return COPYSIGN(e / (e + 2.0f), x);
}
MATH double tanh(double x) {
  double a = ABS(x);
  double e = expm1_reduced(2.0 * (a > 20.0 ? 20.0 : a));
  return COPYSIGN(e / (e + 2.0), x);
}
HALF_UNARY(tanh)
