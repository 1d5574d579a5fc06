// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenCL C 6.15.2: exponentials.
#include "math_exp.h"

// No argument needs clamping: if 2^n overflows or underflows, it alone decides, or the other factor
// is finite and positive.
MATH float exp(float x) {
  float n, p = exp_parts(x, 0.0f, &n);
  return scale_near(p, n);
}
MATH double exp(double x) {
  double n, p = exp_parts(x, 0.0, &n);
  return scale_near(p, n);
}
HALF_UNARY(exp)

MATH float exp2(float x) {
  if (has_pick_step()) {
    float sum = x + SIXTEENTHS_F, n = sum - SIXTEENTHS_F;
    float r = within_step(x - n, 1.0f);
    return scale_near(exp_from_table(sum, r, exp2_quotient(r)), n);
  }
  float n = RINT(x), r = x - n;
  return scale_near(MAD(r, exp2_tail(r), 1.0f), n);
}
MATH double exp2(double x) {
  if (has_pick_step()) {
    double sum = x + SIXTEENTHS_D, n = sum - SIXTEENTHS_D;
    double r = within_step(x - n, 1.0);
    return scale_near(exp_from_table(sum, r, exp2_quotient(r)), n);
  }
  double n = RINT(x), r = x - n;
  return scale_near(MAD(r, exp2_tail(r), 1.0), n);
}
HALF_UNARY(exp2)

// 10^x = 2^n 10^r with x = n log10(2) + r.
MATH float exp10(float x) {
  if (has_pick_step()) {
    float sum = MAD(x, 0x1.a934fp+1f, SIXTEENTHS_F), n = sum - SIXTEENTHS_F;
    float r = within_step(MAD(-n, 0x1.3509f8p-18f, MAD(-n, 0x1.344p-2f, x)), 0.5f);
    float q = POLY3(r, 0x1.26bb1cp+1f, 0x1.5354ep+1f, 0x1.047252p+1f);
    return scale_near(exp_from_table(sum, r, q), n);
  }
  float t = MAD(x, 0x1.a934fp+1f, SHIFTER_F) - SHIFTER_F;
  float r = MAD(-t, 0x1.3509f8p-18f, MAD(-t, 0x1.344p-2f, x));
  float p = POLY6(r, 0x1.26bb1cp+1f, 0x1.53524ep+1f, 0x1.046f5ep+1f, 0x1.2bd662p+0f, 0x1.158a2ap-1f,
                  0x1.a9ee24p-3f);
  return scale_near(MAD(r, p, 1.0f), t);
}
MATH double exp10(double x) {
  if (has_pick_step()) {
    double sum = MAD(x, 0x1.a934f0979a371p+1, SIXTEENTHS_D), n = sum - SIXTEENTHS_D;
    double r = MAD(-n, -0x1.80433b83b532ap-44, MAD(-n, 0x1.34413509f8p-2, x));
    r = within_step(r, 0.5);
    double q = POLY6(r, 0x1.26bb1bbb55519p+1, 0x1.53524c73cea6ep+1, 0x1.0470591d3a91cp+1,
                     0x1.2bd7609f0d1ep+0, 0x1.142b3223cbcb4p-1, 0x1.a7ef46bc71dcbp-3);
    return scale_near(exp_from_table(sum, r, q), n);
  }
  double t = MAD(x, 0x1.a934f0979a371p+1, SHIFTER_D) - SHIFTER_D;
  double r = MAD(-t, -0x1.80433b83b532ap-44, MAD(-t, 0x1.34413509f8p-2, x));
  double p = PAIRS11(r, r * r, 0x1.26bb1bbb55516p+1, 0x1.53524c73cea77p+1, 0x1.0470591de2cb1p+1,
                     0x1.2bd7609fd4ea5p+0, 0x1.1429ffd1d08eap-1, 0x1.a7ed70a21ea2ep-3,
                     0x1.16e4dfd6672f2p-4, 0x1.41165dee2fb85p-6, 0x1.4897714b2a0ddp-8,
                     0x1.2f74fc6e9aba6p-10, 0x1.fc28aaa3715a1p-13);
  return scale_near(MAD(r, p, 1.0), t);
}
HALF_UNARY(exp10)

// Halved, so that the scale factor does not overflow before the result does.
MATH float expm1(float x) {
  int n;
  float y = limit(x, -20.0f, 89.0f);
  float r = reduce_exp(y, &n);
  float s = exp2i(n - 1);
  float e = MAD(r * r, exp_tail(r), r);
  return COPYSIGN(2.0f * MAD(s, e, s - 0.5f), x);
}
MATH double expm1(double x) {
  long n;
  double y = limit(x, -40.0, 710.0);
  double r = reduce_exp(y, &n);
  double s = exp2i(n - 1);
  double e = MAD(r * r, exp_tail(r), r);
  return COPYSIGN(2.0 * MAD(s, e, s - 0.5), x);
}
HALF_UNARY(expm1)
