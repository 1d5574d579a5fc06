// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenCL C 6.15.2: inverse trigonometric functions, in radians and in half turns.
#include "math_common.h"

// asin(s) with z = s^2 <= 1 / 4.
HELPER float asin_reduced(float s, float z) {
  float p =
      POLY5(z, 0x1.5555c2p-3f, 0x1.330318p-4f, 0x1.746808p-5f, 0x1.8ccfd4p-6f, 0x1.58ff06p-5f);
  return MAD(s * z, p, s);
}
HELPER double asin_reduced(double s, double z) {
  double p = POLY12(z, 0x1.5555555555433p-3, 0x1.33333333606a5p-4, 0x1.6db6db49bbf9dp-5,
                    0x1.f1c72a477f908p-6, 0x1.6e8a1c04a6d36p-6, 0x1.1c69d8268d7f2p-6,
                    0x1.c7213e697cc0ap-7, 0x1.8df347acddf01p-7, 0x1.b21ed3404168ep-8,
                    0x1.3c0be4d1eb5bbp-6, -0x1.043d001493e17p-6, 0x1.03acec5e55cfap-5);
  return MAD(s * z, p, s);
}

// atan(n / d) for 0 <= n <= d, *middle if pi / 4 is to be added.
HELPER float atan_reduced(float n, float d, bool* middle) {
  *middle = n > 0x1.a8p-2f * d;
  float v = (*middle ? n - d : n) / (*middle ? n + d : d);
  float z = v * v;
  float p = POLY4(z, -0x1.555466p-2f, 0x1.99292ap-3f, -0x1.1c5ed2p-3f, 0x1.4abe78p-4f);
  return MAD(v * z, p, v);
}
HELPER double atan_reduced(double n, double d, bool* middle) {
  *middle = n > 0x1.a8p-2 * d;
  double v = (*middle ? n - d : n) / (*middle ? n + d : d);
  double z = v * v;
  double p = POLY11(z, -0x1.5555555555548p-2, 0x1.9999999996bfap-3, -0x1.2492492314756p-3,
                    0x1.c71c7108ddb2cp-4, -0x1.745cfc500e405p-4, 0x1.3b11502329daep-4,
                    -0x1.10edef2a45b3bp-4, 0x1.df2cc0fd75ad2p-5, -0x1.9d4cee19a8aap-5,
                    0x1.38f50775702cp-5, -0x1.27b3bad07d487p-6);
  return MAD(v * z, p, v);
}

// SCALE is 1 or 1 / pi, TURN is pi times that. For |x| > 1 / 2, asin x = pi / 2 - 2 asin(sqrt((1 -
// x) / 2)). atan2 scales its arguments so that adding and comparing them loses no precision.
#define ARC_FUNCTIONS(T, SUFFIX, SCALE, TURN, LARGE, SMALL)                                        \
  MATH T asin##SUFFIX(T x) {                                                                       \
    T a = ABS(x);                                                                                  \
    bool big = a > (T)0.5;                                                                         \
    T z = big ? ((T)1 - a) * (T)0.5 : a * a;                                                       \
    T p = asin_reduced(big ? SQRT(z) : a, z) * SCALE;                                              \
    return COPYSIGN(big ? MAD((T) - 2, p, TURN / 2) : p, x);                                       \
  }                                                                                                \
  MATH T acos##SUFFIX(T x) {                                                                       \
    T a = ABS(x);                                                                                  \
    bool big = a > (T)0.5;                                                                         \
    T z = big ? ((T)1 - a) * (T)0.5 : a * a;                                                       \
    T p = asin_reduced(big ? SQRT(z) : a, z) * SCALE;                                              \
    T outer = x < 0 ? MAD((T) - 2, p, TURN) : (T)2 * p;                                            \
    return big ? outer : TURN / 2 - COPYSIGN(p, x);                                                \
  }                                                                                                \
  MATH T atan##SUFFIX(T x) {                                                                       \
    T a = ABS(x);                                                                                  \
    bool inverse = a > (T)1, middle;                                                               \
    T n = inverse ? (T)1 : a, d = inverse ? a : (T)1;                                              \
    T p = atan_reduced(n, d, &middle) * SCALE;                                                     \
    p = middle ? TURN / 4 + p : p;                                                                 \
    return COPYSIGN(inverse ? TURN / 2 - p : p, x);                                                \
  }                                                                                                \
  MATH T atan2##SUFFIX(T y, T x) {                                                                 \
    T a = ABS(x), b = ABS(y);                                                                      \
    bool inverse = b > a, middle;                                                                  \
    T n = inverse ? a : b, d = inverse ? b : a;                                                    \
    if (!(d >= SMALL && d <= LARGE)) {                                                             \
      T scale = d > LARGE ? (T)0.25 : (T)0x1p60;                                                   \
      bool diagonal = n == d;                                                                      \
      n = diagonal ? d : n * scale;                                                                \
      d *= scale;                                                                                  \
      bool zero = d == 0;                                                                          \
      n = diagonal && !zero ? (T)1 : n;                                                            \
      d = diagonal || zero ? (T)1 : d;                                                             \
    }                                                                                              \
    T p = atan_reduced(n, d, &middle) * SCALE;                                                     \
    p = middle ? TURN / 4 + p : p;                                                                 \
    p = inverse ? TURN / 2 - p : p;                                                                \
    p = COPYSIGN((T)1, x) < 0 ? TURN - p : p;                                                      \
    return COPYSIGN(p, y);                                                                         \
  }
ARC_FUNCTIONS(float, , 1.0f, 0x1.921fb6p+1f, 0x1p125f, 0x1p-90f)
ARC_FUNCTIONS(float, pi, 0x1.45f306p-2f, 1.0f, 0x1p125f, 0x1p-90f)
ARC_FUNCTIONS(double, , 1.0, 0x1.921fb54442d18p+1, 0x1p1021, 0x1p-900)
ARC_FUNCTIONS(double, pi, 0x1.45f306dc9c883p-2, 1.0, 0x1p1021, 0x1p-900)
HALF_UNARY(asin)
HALF_UNARY(asinpi)
HALF_UNARY(acos)
HALF_UNARY(acospi)
HALF_UNARY(atan)
HALF_UNARY(atanpi)
HALF_BINARY(atan2)
HALF_BINARY(atan2pi)
