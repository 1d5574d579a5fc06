// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of sine, cosine and tangent: argument reduction and polynomials.
#ifndef HEDDLE_MATH_TRIG_H
#define HEDDLE_MATH_TRIG_H
#include "math_exp.h"

// The first bits of 2 / pi, after words of zeros for small exponents.
static __constant uint kTwoOverPi32[] = {0,          0xa2f9836e, 0x4e441529, 0xfc2757d1,
                                         0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab};
static __constant ulong kTwoOverPi64[] = {
    0,
    0xa2f9836e4e441529,
    0xfc2757d1f534ddc0,
    0xdb6295993c439041,
    0xfe5163abdebbc561,
    0xb7246e3a424dd2e0,
    0x06492eea09d1921c,
    0xfe1deb1cb129a73e,
    0xe88235f52ebb4484,
    0xe99c7026b45f7e41,
    0x3991d639835339f4,
    0x9c845f8bbdf9283b,
    0x1ff897ffde05980f,
    0xef2f118b5a0a6d1f,
    0x6d367ecf27cb09b7,
    0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b,
    0x3d0739f78a5292ea,
    0x6bfb5fb11f8d5d08,
    0x56033046fc7b6bab,
};

HELPER ulong multiply_high(ulong a, ulong b) {
  ulong al = a & 0xffffffff, ah = a >> 32, bl = b & 0xffffffff, bh = b >> 32;
  ulong middle = ah * bl + (al * bl >> 32);
  ulong other = al * bh + (middle & 0xffffffff);
  return ah * bh + (middle >> 32) + (other >> 32);
}

// Bits o .. o + 31 (63) of the words, from the highest.
HELPER uint window(__constant uint* words, int o) {
  int shift = o & 31;
  ulong pair = (ulong)words[o >> 5] << 32 | words[(o >> 5) + 1];
  return (uint)(pair >> (32 - shift));
}
HELPER ulong window(__constant ulong* words, int o) {
  int shift = o & 63;
  return words[o >> 6] << shift | words[(o >> 6) + 1] >> 1 >> (63 - shift);
}

// For |x| = m 2^e with an integer m: the bits of 2 / pi from weight 2^(2 - e) on, times m, are
// x 2 / pi modulo 4. The two highest bits are the quadrant, the rest is a signed fraction of pi
// / 2.
HELPER float reduce_large(float x, int* quadrant) {
  uint bits = as_uint(x) & 0x7fffffff;
  ulong m = (bits & 0x7fffff) | 0x800000;
  int e = (int)(bits >> 23) - 150;
  e = e < -24 ? -24 : e > 104 ? 104 : e;
  int o = e + 30;
  ulong p = (m * window(kTwoOverPi32, o) << 32) + m * window(kTwoOverPi32, o + 32) +
            (m * window(kTwoOverPi32, o + 64) >> 32);
  int q = (int)(p >> 62) + (int)(p >> 61 & 1);
  float r = (float)((double)(long)(p << 2) * 0x1.921fb54442d18p-64);
  *quadrant = x < 0 ? -q : q;
  r = x < 0 ? -r : r;
  return ABS(x) < INF_F ? r : NAN_F;
}
HELPER double reduce_large(double x, int* quadrant) {
  ulong bits = as_ulong(x) & 0x7fffffffffffffff;
  ulong m = (bits & 0xfffffffffffff) | 0x10000000000000;
  int e = (int)(bits >> 52) - 1075;
  e = e < -53 ? -53 : e > 971 ? 971 : e;
  int o = e + 62;
  ulong middle = window(kTwoOverPi64, o + 64);
  ulong add = multiply_high(m, window(kTwoOverPi64, o + 128));
  ulong low = m * middle + add;
  ulong high = m * window(kTwoOverPi64, o) + multiply_high(m, middle) + (low < add);
  int q = (int)(high >> 62) + (int)(high >> 61 & 1);
  long fraction = (long)(high << 2 | low >> 62);
  double a = (double)(fraction & ~0x7ffL);
  double b = (double)(fraction & 0x7ff) + (double)(low << 2) * 0x1p-64;
  double r = a * 0x1.921fb54442d18p-64;
  double r_low = FMA(a, 0x1.921fb54442d18p-64, -r);
  r += MAD(b, 0x1.921fb54442d18p-64, MAD(a, 0x1.1a62633145c07p-118, r_low));
  *quadrant = x < 0 ? -q : q;
  r = x < 0 ? -r : r;
  return ABS(x) < INF_D ? r : NAN_D;
}

// x = quadrant pi / 2 + r, |r| <= pi / 4. pi / 2 is subtracted in three parts: the first difference
// is exact, so r keeps its precision when x is close to a multiple. The near variant is for |x|
// below 2^17 (float) and 2^27 (double).
HELPER float reduce_near(float x, int* quadrant) {
  float t = MAD(x, 0x1.45f306p-1f, SHIFTER_F);
  *quadrant = as_int(t);
  t -= SHIFTER_F;
  float r = FMA(-t, 0x1.921fb4p+0f, x);
  r = FMA(-t, 0x1.4442dp-24f, r);
  r = FMA(-t, 0x1.846988p-48f, r);
  return r;
}
HELPER double reduce_near(double x, int* quadrant) {
  double t = MAD(x, 0x1.45f306dc9c883p-1, SHIFTER_D);
  *quadrant = (int)as_long(t);
  t -= SHIFTER_D;
  double r = FMA(-t, 0x1.921fb54442d18p+0, x);
  r = FMA(-t, 0x1.1a62633145c06p-54, r);
  r = FMA(-t, 0x1.c1cd129024e08p-107, r);
  return r;
}

HELPER float reduce_trig(float x, int* quadrant) {
  float r = reduce_near(x, quadrant);
  if (!(ABS(x) < 0x1p17f))
    r = reduce_large(x, quadrant);
  return r;
}
HELPER double reduce_trig(double x, int* quadrant) {
  double r = reduce_near(x, quadrant);
  if (!(ABS(x) < 0x1p27))
    r = reduce_large(x, quadrant);
  return r;
}

// x = (turns - shift) pi + r, |r| <= pi / 2, for a shift of 0 or 1 / 2, in the same way: sin x or
// cos x is sin r, with the other sign where the number of turns is odd.
HELPER float reduce_half_near(float x, bool shifted, uint* turns) {
  float t = shifted ? MAD(x, 0x1.45f306p-2f, 0.5f) + SHIFTER_F : MAD(x, 0x1.45f306p-2f, SHIFTER_F);
  *turns = as_uint(t);
  t -= SHIFTER_F;
  t = shifted ? t - 0.5f : t;
  float r = FMA(-t, 0x1.921fb4p+1f, x);
  r = FMA(-t, 0x1.4442dp-23f, r);
  return FMA(-t, 0x1.846988p-47f, r);
}
HELPER double reduce_half_near(double x, bool shifted, ulong* turns) {
  double t = shifted ? MAD(x, 0x1.45f306dc9c883p-2, 0.5) + SHIFTER_D
                     : MAD(x, 0x1.45f306dc9c883p-2, SHIFTER_D);
  *turns = as_ulong(t);
  t -= SHIFTER_D;
  t = shifted ? t - 0.5 : t;
  double r = FMA(-t, 0x1.921fb54442d18p+1, x);
  r = FMA(-t, 0x1.1a62633145c06p-53, r);
  return FMA(-t, 0x1.c1cd129024e08p-106, r);
}

#define REDUCE_HALF(T, U, NEAR, QUARTER)                                                           \
  HELPER T reduce_half(T x, bool shifted, U* turns) {                                              \
    T r = reduce_half_near(x, shifted, turns);                                                     \
    if (!(ABS(x) < NEAR)) {                                                                        \
      int quadrant;                                                                                \
      T s = reduce_large(x, &quadrant);                                                            \
      quadrant += shifted;                                                                         \
      r = quadrant & 1 ? QUARTER - ABS(s) : s;                                                     \
      *turns = (U)(quadrant >> 1);                                                                 \
    }                                                                                              \
    return r;                                                                                      \
  }
REDUCE_HALF(float, uint, 0x1p17f, 0x1.921fb6p+0f)
REDUCE_HALF(double, ulong, 0x1p27, 0x1.921fb54442d18p+0)

// sin r for 0 <= r <= pi / 2. Rounding must not exceed 1.
HELPER float sin_half(float r) {
  float z = r * r;
  float p = POLY4(z, -0x1.55554cp-3f, 0x1.110ecep-7f, -0x1.9f6ecep-13f, 0x1.5daba8p-19f);
  float v = MAD(r * z, p, r);
  return v > 1.0f ? 1.0f : v;
}
HELPER double sin_half(double r) {
  double z = r * r;
  double p = POLY8(z, -0x1.5555555555555p-3, 0x1.11111111110cp-7, -0x1.a01a01a014743p-13,
                   0x1.71de3a527c88ep-19, -0x1.ae6454c5c982p-26, 0x1.6123c9ae2e4cp-33,
                   -0x1.ae42b63be9201p-41, 0x1.881e4feea228cp-49);
  double v = MAD(r * z, p, r);
  return v > 1.0 ? 1.0 : v;
}

// sin(pi r) for |r| <= 1 / 2, in the same way.
HELPER float sinpi_half(float r) {
  float p = POLY5(r * r, -0x1.777a5cp-24f, -0x1.4abbc6p+2f, 0x1.466926p+1f, -0x1.325688p-1f,
                  0x1.3e38ccp-4f);
  float v = MAD(r, 0x1.921fb6p+1f, r * p);
  return limit(v, -1.0f, 1.0f);
}
HELPER double sinpi_half(double r) {
  double p = POLY9(r * r, 0x1.1a62633145c07p-53, -0x1.4abbce625be52p+2, 0x1.466bc6775aa8cp+1,
                   -0x1.32d2cce62815fp-1, 0x1.507834856a8e3p-4, -0x1.e3074e039b67dp-8,
                   0x1.e8f368e931c93p-12, -0x1.6f7aec041a3c6p-16, 0x1.9d46e89caccaep-21);
  double v = MAD(r, 0x1.921fb54442d18p+1, r * p);
  return limit(v, -1.0, 1.0);
}
// sin(pi r) as a function of w = r (1 - r), for 0 <= r <= 1.
HELPER float sinpi_arch(float w) {
  float v =
      w * POLY5(w, 0x1.921fb6p+1f, 0x1.921fbp+1f, 0x1.1d90fep+0f, 0x1.a2fd2ep-3f, 0x1.8bbd82p-6f);
  return v > 1.0f ? 1.0f : v;
}
HELPER double sinpi_arch(double w) {
  double v = w * PAIRS8(w, w * w, 0x1.921fb54442d18p+1, 0x1.921fb54442d5ap+1, 0x1.1d8f9b8798f37p+0,
                        0x1.a37b4075355e1p-3, 0x1.7996a2e2c83b4p-6, 0x1.cbc0dc7ba11cdp-10,
                        0x1.93d8b48eb28f2p-14, 0x1.154843e34f6edp-18);
  return v > 1.0 ? 1.0 : v;
}

// tan r for |r| <= pi / 4 or tan(pi r) for |r| <= 1 / 4 as a fraction.
HELPER float tan_fraction(float r, float* below) {
  float z = r * r;
  *below = POLY3(z, 1.0f, -0x1.b770ccp-2f, 0x1.3e76ecp-7f);
  return r * POLY2(z, 1.0f, -0x1.886d2p-4f);
}
HELPER double tan_fraction(double r, double* below) {
  double z = r * r;
  *below = POLY5(z, 1.0, -0x1.d4ee2b4391a2ap-2, 0x1.6316c12195832p-6, -0x1.18d8088ac277cp-13,
                 -0x1.81d03ce4174e2p-22);
  return r * POLY3(z, 1.0, -0x1.fe6357b8f14c7p-4, 0x1.35486cb8f161ap-9);
}
HELPER float tanpi_fraction(float r, float* below) {
  float z = r * r;
  *below = POLY3(z, 1.0f, -0x1.0f11aep+2f, 0x1.e4b55ep-1f);
  return r * POLY2(z, 0x1.921fb4p+1f, -0x1.7c3d6ap+1f);
}
HELPER double tanpi_fraction(double r, double* below) {
  double z = r * r;
  *below = POLY5(z, 1.0, -0x1.2142832a92f12p+2, 0x1.0e39c55c5f13ap+1, -0x1.07ac1162938c7p-3,
                 -0x1.bee0158259278p-9);
  return r * POLY3(z, 0x1.921fb54442d19p+1, -0x1.ee89ddd623bb1p+1, 0x1.71b6a887384ecp-1);
}

// sin r and cos r for |r| <= pi / 4.
HELPER float sin_reduced(float r) {
  float z = r * r;
  return MAD(r * z, POLY3(z, -0x1.555544p-3f, 0x1.110708p-7f, -0x1.992f1ep-13f), r);
}
HELPER float cos_reduced(float r) {
  float z = r * r;
  float p = POLY3(z, 0x1.55554ap-5f, -0x1.6c0c26p-10f, 0x1.99e434p-16f);
  return MAD(z * z, p, MAD(-0.5f, z, 1.0f));
}
HELPER double sin_reduced(double r) {
  double z = r * r;
  return MAD(r * z,
             POLY6(z, -0x1.5555555555548p-3, 0x1.111111110f69bp-7, -0x1.a01a019bce4b2p-13,
                   0x1.71de353885dd7p-19, -0x1.ae5e31bdafa15p-26, 0x1.5d831012dbbccp-33),
             r);
}
HELPER double cos_reduced(double r) {
  double z = r * r;
  double p = POLY6(z, 0x1.555555555554bp-5, -0x1.6c16c16c14f4fp-10, 0x1.a01a019c76723p-16,
                   -0x1.27e4f7dc420cep-22, 0x1.1ee9cb3678e92p-29, -0x1.8f9cf09168fcp-37);
  return MAD(z * z, p, MAD(-0.5, z, 1.0));
}

// x = quadrant / 2 + r, |r| <= 1 / 4, modulo 2. Exact.
HELPER float reduce_pi(float x, int* quadrant) {
  float y = MAD(-2.0f, TRUNC(0.5f * x), x);
  float t = MAD(2.0f, y, SHIFTER_F);
  *quadrant = as_int(t);
  return MAD(-0.5f, t - SHIFTER_F, y);
}
HELPER double reduce_pi(double x, int* quadrant) {
  double y = MAD(-2.0, TRUNC(0.5 * x), x);
  double t = MAD(2.0, y, SHIFTER_D);
  *quadrant = (int)as_long(t);
  return MAD(-0.5, t - SHIFTER_D, y);
}

#endif
