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
  double p = PAIRS12(z, z * z, 0x1.5555555555433p-3, 0x1.33333333606a5p-4, 0x1.6db6db49bbf9dp-5,
                     0x1.f1c72a477f908p-6, 0x1.6e8a1c04a6d36p-6, 0x1.1c69d8268d7f2p-6,
                     0x1.c7213e697cc0ap-7, 0x1.8df347acddf01p-7, 0x1.b21ed3404168ep-8,
                     0x1.3c0be4d1eb5bbp-6, -0x1.043d001493e17p-6, 0x1.03acec5e55cfap-5);
  return MAD(s * z, p, s);
}

// atan(v) for |v| <= sqrt(2) - 1.
HELPER float atan_reduced(float v) {
  float z = v * v;
  float p = POLY4(z, -0x1.555466p-2f, 0x1.99292ap-3f, -0x1.1c5ed2p-3f, 0x1.4abe78p-4f);
  return MAD(v * z, p, v);
}
HELPER double atan_reduced(double v) {
  double z = v * v;
  double p = PAIRS11(z, z * z, -0x1.5555555555548p-2, 0x1.9999999996bfap-3, -0x1.2492492314756p-3,
                     0x1.c71c7108ddb2cp-4, -0x1.745cfc500e405p-4, 0x1.3b11502329daep-4,
                     -0x1.10edef2a45b3bp-4, 0x1.df2cc0fd75ad2p-5, -0x1.9d4cee19a8aap-5,
                     0x1.38f50775702cp-5, -0x1.27b3bad07d487p-6);
  return MAD(v * z, p, v);
}

// SCALE is 1 or 1 / pi, TURN is pi times that. For |x| > 1 / 2, asin x = pi / 2 - 2 asin(sqrt((1 -
// x) / 2)). atan(n / d) = pi / 4 + atan((n - d) / (n + d)) = pi / 2 + atan(-d / n). atan2 scales
// its arguments so that adding and comparing them loses no precision.
#define ARC_FUNCTIONS(T, SUFFIX, SCALE, TURN, LARGE, SMALL)                                        \
  MATH T asin##SUFFIX(T x) {                                                                       \
    T a = ABS(x);                                                                                  \
    bool big = a > (T)0.5;                                                                         \
    T z = big ? ((T)1 - a) * (T)0.5 : a * a;                                                       \
    T p = asin_reduced(big ? SQRT(z) : a, z) * SCALE;                                              \
    return COPYSIGN(big ? MAD((T)-2, p, TURN / 2) : p, x);                                         \
  }                                                                                                \
  MATH T acos##SUFFIX(T x) {                                                                       \
    T a = ABS(x);                                                                                  \
    bool big = a > (T)0.5;                                                                         \
    T z = big ? ((T)1 - a) * (T)0.5 : a * a;                                                       \
    T p = asin_reduced(big ? SQRT(z) : a, z) * SCALE;                                              \
    T outer = x < 0 ? MAD((T)-2, p, TURN) : (T)2 * p;                                              \
    return big ? outer : TURN / 2 - COPYSIGN(p, x);                                                \
  }                                                                                                \
  /* The angle of n / d, for n and d that are not negative, is *base + atan of the result. */      \
  HELPER T reduce_arc##SUFFIX(T n, T d, T* base) {                                                 \
    bool above = n > (T)0x1.a8p-2 * d, far = n > (T)0x1.35p+1 * d;                                 \
    *base = far ? TURN / 2 : above ? TURN / 4 : (T)0;                                              \
    return (far ? -d : above ? n - d : n) / (far ? n : above ? n + d : d);                         \
  }                                                                                                \
  MATH T atan##SUFFIX(T x) {                                                                       \
    T base, v = reduce_arc##SUFFIX(ABS(x), (T)1, &base);                                           \
    return COPYSIGN(MAD(atan_reduced(v), SCALE, base), x);                                         \
  }                                                                                                \
  MATH T atan2##SUFFIX(T y, T x) {                                                                 \
    T d = ABS(x), n = ABS(y), most = d > n ? d : n;                                                \
    if (RARELY(!(most >= SMALL && most <= LARGE))) {                                               \
      T scale = most > LARGE ? (T)0.25 : (T)0x1p60;                                                \
      bool same = n == d;                                                                          \
      n = same ? (T)(n != 0) : n * scale;                                                          \
      d = same ? (T)1 : d * scale;                                                                 \
    }                                                                                              \
    T base, v = reduce_arc##SUFFIX(n, d, &base);                                                   \
    bool back = COPYSIGN((T)1, x) < 0;                                                             \
    base = back ? TURN - base : base;                                                              \
    v = back ? -v : v;                                                                             \
    return COPYSIGN(MAD(atan_reduced(v), SCALE, base), y);                                         \
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
