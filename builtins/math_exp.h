// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of exponentials: the argument's integral and fractional powers of two, and polynomials.
#ifndef HEDDLE_MATH_EXP_H
#define HEDDLE_MATH_EXP_H
#include "math_common.h"
#include "math_machine.h"

// The sum of a number and this constant has the nearest integer in its low bits. Unlike a
// conversion, the sum is defined for every argument.
#define SHIFTER_F 0x1.8p23f
#define SHIFTER_D 0x1.8p52

// Clamps x, including NaN, to [lo, hi], in the form that matches the CPU's min and max
// instructions.
HELPER float limit(float x, float lo, float hi) {
  x = x < lo ? lo : x;
  return x > hi ? hi : x;
}
HELPER double limit(double x, double lo, double hi) {
  x = x < lo ? lo : x;
  return x > hi ? hi : x;
}

// p 2^n for p near 1 and |n| <= 252 (float) or 2044 (double): rounded once. Zero for n of -254
// (float) and -2046 (double).
HELPER float scale_twice(float p, int n) {
  int h = n >> 1;
  return p * exp2i(h) * exp2i(n - h);
}
HELPER double scale_twice(double p, long n) {
  long h = n >> 1;
  return p * exp2i(h) * exp2i(n - h);
}

// p 2^n for an integral n, if p and the result are normal.
HELPER float scale_normal(float p, float n) {
  return as_float(as_uint(p) + (as_uint(n + SHIFTER_F) << 23));
}
HELPER double scale_normal(double p, double n) {
  return as_double(as_ulong(p) + (as_ulong(n + SHIFTER_D) << 52));
}

// p 2^n, rounded once, for p in [2^-20, 2] and an integral n, or for p = n = NaN. Below LEAST it is
// zero and above MOST infinite, whatever p is: there ZERO replaces n, for which no product is
// subnormal on its way to zero, which would take several times as long.
#define SCALE_NEAR(T, I, NEAR, LEAST, ZERO, MOST, SHIFTER)                                         \
  HELPER T scale_near(T p, T n) {                                                                  \
    if (has_pick_step())                                                                           \
      return scale_step(p, n);                                                                     \
    T v = scale_normal(p, n);                                                                      \
    if (RARELY(!(ABS(n) < NEAR))) {                                                                \
      T m = n < LEAST || n > MOST ? ZERO : n;                                                      \
      v = scale_twice(p, as_##I(m + SHIFTER) - as_##I(SHIFTER));                                   \
      v = n < LEAST ? (T)0 : n > MOST ? (T)INFINITY : v;                                           \
    }                                                                                              \
    return v;                                                                                      \
  }
SCALE_NEAR(float, int, 100.0f, -160.0f, -254.0f, 130.0f, SHIFTER_F)
SCALE_NEAR(double, long, 1000.0, -1080.0, -2046.0, 1026.0, SHIFTER_D)

// x = n ln 2 + r, |r| <= ln 2 / 2, for |x| up to 2^7 and 2^10; n as an integral number. Beyond, r
// is arbitrary.
HELPER float reduce_exp_whole(float x, float* n) {
  float t = MAD(x, 0x1.715476p+0f, SHIFTER_F) - SHIFTER_F;
  *n = t;
  return MAD(-t, 0x1.7f7d1cp-20f, MAD(-t, 0x1.62e4p-1f, x));
}
HELPER double reduce_exp_whole(double x, double* n) {
  double t = MAD(x, 0x1.71547652b82fep+0, SHIFTER_D) - SHIFTER_D;
  *n = t;
  return MAD(-t, -0x1.8432a1b0e2634p-43, MAD(-t, 0x1.62e42fefa4p-1, x));
}

// The same with n as an integer.
HELPER float reduce_exp(float x, int* n) {
  float t = MAD(x, 0x1.715476p+0f, SHIFTER_F);
  *n = as_int(t) - as_int(SHIFTER_F);
  t -= SHIFTER_F;
  return MAD(-t, 0x1.7f7d1cp-20f, MAD(-t, 0x1.62e4p-1f, x));
}
HELPER double reduce_exp(double x, long* n) {
  double t = MAD(x, 0x1.71547652b82fep+0, SHIFTER_D);
  *n = as_long(t) - as_long(SHIFTER_D);
  t -= SHIFTER_D;
  return MAD(-t, -0x1.8432a1b0e2634p-43, MAD(-t, 0x1.62e42fefa4p-1, x));
}

// (e^r - 1 - r) / r^2 for |r| <= ln 2 / 2.
HELPER float exp_tail(float r) {
  return POLY5(r, 0x1p-1f, 0x1.5554aep-3f, 0x1.555486p-5f, 0x1.122868p-7f, 0x1.6d996p-10f);
}
HELPER double exp_tail(double r) {
  return PAIRS10(r, r * r, 0x1.0000000000005p-1, 0x1.555555555555cp-3, 0x1.55555555520d8p-5,
                 0x1.111111110e675p-7, 0x1.6c16c17f4424fp-10, 0x1.a01a01b5fa8b6p-13,
                 0x1.a019a6545471dp-16, 0x1.71dde9b4710b8p-19, 0x1.28a2e53e86d28p-22,
                 0x1.af77320b3aebdp-26);
}

// (2^r - 1) / r for |r| <= 1/2.
HELPER float exp2_tail(float r) {
  return POLY6(r, 0x1.62e43p-1f, 0x1.ebfbep-3f, 0x1.c6aedp-5f, 0x1.3b29a8p-7f, 0x1.5f47aep-10f,
               0x1.4490fp-13f);
}
HELPER double exp2_tail(double r) {
  return PAIRS11(r, r * r, 0x1.62e42fefa39efp-1, 0x1.ebfbdff82c5a5p-3, 0x1.c6b08d704a0d7p-5,
                 0x1.3b2ab6fb9ff46p-7, 0x1.5d87fe78a0ep-10, 0x1.4309130f398dbp-13,
                 0x1.ffcbfc7c5a88ap-17, 0x1.62bfc6a656de2p-20, 0x1.b524cdb7a424cp-24,
                 0x1.e61cfd2bb8485p-28, 0x1.ea18a0bb6714bp-32);
}

// e^r for |r| <= ln 2 / 2.
HELPER float exp_reduced(float r) {
  return POLY7(r, 1.0f, 1.0f, 0x1p-1f, 0x1.55548ep-3f, 0x1.55545ap-5f, 0x1.123bbap-7f,
               0x1.6db68p-10f);
}
HELPER double exp_reduced(double r) {
  return PAIRS12(r, r * r, 1.0, 1.0, 0x1.000000000000bp-1, 0x1.5555555555561p-3,
                 0x1.555555555007ap-5, 0x1.111111110d646p-7, 0x1.6c16c185a263cp-10,
                 0x1.a01a01bae5e49p-13, 0x1.a019968cb0ca9p-16, 0x1.71dddfb5f1253p-19,
                 0x1.28b05d6f9f229p-22, 0x1.af85bbbb8b204p-26);
}

// 2^(i / 16).
static __constant float kSixteenths32[] = {
    0x1p+0f,        0x1.0b5586p+0f, 0x1.172b84p+0f, 0x1.2387a6p+0f, 0x1.306fep+0f,  0x1.3dea64p+0f,
    0x1.4bfdaep+0f, 0x1.5ab07ep+0f, 0x1.6a09e6p+0f, 0x1.7a1148p+0f, 0x1.8ace54p+0f, 0x1.9c4918p+0f,
    0x1.ae89fap+0f, 0x1.c199bep+0f, 0x1.d5818ep+0f, 0x1.ea4afap+0f};
static __constant double kSixteenths64[] = {
    0x1p+0,
    0x1.0b5586cf9890fp+0,
    0x1.172b83c7d517bp+0,
    0x1.2387a6e756238p+0,
    0x1.306fe0a31b715p+0,
    0x1.3dea64c123422p+0,
    0x1.4bfdad5362a27p+0,
    0x1.5ab07dd485429p+0,
    0x1.6a09e667f3bcdp+0,
    0x1.7a11473eb0187p+0,
    0x1.8ace5422aa0dbp+0,
    0x1.9c49182a3f09p+0,
    0x1.ae89f995ad3adp+0,
    0x1.c199bdd85529cp+0,
    0x1.d5818dcfba487p+0,
    0x1.ea4afa2a490dap+0,
};

// The sum of a number and this constant has the nearest sixteenth in its low bits.
#define SIXTEENTHS_F 0x1.8p19f
#define SIXTEENTHS_D 0x1.8p48

// (e^r - 1) / r for |r| <= ln 2 / 32.
HELPER float exp_quotient(float r) { return POLY3(r, 1.0f, 0x1.0001fp-1f, 0x1.5557ecp-3f); }
HELPER double exp_quotient(double r) {
  return POLY6(r, 0x1.0000000000003p+0, 0x1.0000000000004p-1, 0x1.5555555478dc9p-3,
               0x1.555555546c9d1p-5, 0x1.11123ff383696p-7, 0x1.6c185544a0b2ep-10);
}
// (2^r - 1) / r for |r| <= 1 / 32.
HELPER float exp2_quotient(float r) {
  return POLY3(r, 0x1.62e43p-1f, 0x1.ebff9ap-3f, 0x1.c6b4p-5f);
}
HELPER double exp2_quotient(double r) {
  return POLY6(r, 0x1.62e42fefa39f3p-1, 0x1.ebfbdff82c597p-3, 0x1.c6b08d6f245b5p-5,
               0x1.3b2ab6face064p-7, 0x1.5d89822b890d2p-10, 0x1.430a7947ab19bp-13);
}

// With tables: x = n ln 2 + r, where n = *sum - SIXTEENTHS is a multiple of 1 / 16. If n is too
// large for correct low bits, r is arbitrary.
HELPER float reduce_exp_sixteenths(float x, float* sum, float* n) {
  *sum = MAD(x, 0x1.715476p+0f, SIXTEENTHS_F);
  *n = *sum - SIXTEENTHS_F;
  return MAD(-*n, 0x1.7f7d1cp-20f, MAD(-*n, 0x1.62e4p-1f, x));
}
HELPER double reduce_exp_sixteenths(double x, double* sum, double* n) {
  *sum = MAD(x, 0x1.71547652b82fep+0, SIXTEENTHS_D);
  *n = *sum - SIXTEENTHS_D;
  return MAD(-*n, -0x1.8432a1b0e2634p-43, MAD(-*n, 0x1.62e42fefa4p-1, x));
}
// 2^(n mod 1) (1 + r quotient).
HELPER float exp_from_table(float sum, float r, float quotient) {
  float t = pick_step(as_uint(sum), kSixteenths32);
  return MAD(t * r, quotient, t);
}
HELPER double exp_from_table(double sum, double r, double quotient) {
  double t = pick_step(as_ulong(sum), kSixteenths64);
  return MAD(t * r, quotient, t);
}

// 2^n (1 + f) = e^(x - low), for a low much smaller than x.
#define EXP_PARTS(T)                                                                               \
  HELPER T exp_parts(T x, T low, T* n) {                                                           \
    if (has_pick_step()) {                                                                         \
      T sum, r = reduce_exp_sixteenths(x, &sum, n) - low;                                          \
      r = within_step(r, (T)1);                                                                    \
      return exp_from_table(sum, r, exp_quotient(r));                                              \
    }                                                                                              \
    return exp_reduced(reduce_exp_whole(x, n) - low);                                              \
  }
EXP_PARTS(float)
EXP_PARTS(double)

// e^x - 1 for x <= 127 ln 2 and 1023 ln 2.
HELPER float expm1_reduced(float x) {
  int n;
  float r = reduce_exp(x, &n);
  float s = exp2i(n);
  float e = MAD(r * r, exp_tail(r), r);
  return COPYSIGN(MAD(s, e, s - 1.0f), x);
}
HELPER double expm1_reduced(double x) {
  long n;
  double r = reduce_exp(x, &n);
  double s = exp2i(n);
  double e = MAD(r * r, exp_tail(r), r);
  return COPYSIGN(MAD(s, e, s - 1.0), x);
}

#endif
