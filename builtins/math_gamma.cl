// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenCL C 6.15.2: gamma functions. All but tgamma of floats call libm, whose results are within
// the error bounds.
#include "math_exp.h"
#include "math_libm.h"
#include "math_log.h"

double __attribute__((const)) libm_tgamma(double) __asm__("tgamma");
float libm_lgammaf_r(float, int*) __asm__("lgammaf_r");
double libm_lgamma_r(double, int*) __asm__("lgamma_r");

// libm sets the sign to 1 for -0 and leaves it for NaN; OpenCL requires 0 if the sign is undefined.
HELPER float lgamma_sign(float x, int* sign) {
  int s = 1;
  float r = libm_lgammaf_r(x, &s);
  *sign = x != x || (x <= 0 && TRUNC(x) == x) ? 0 : s;
  return r;
}
HELPER double lgamma_sign(double x, int* sign) {
  int s = 1;
  double r = libm_lgamma_r(x, &s);
  *sign = x != x || (x <= 0 && TRUNC(x) == x) ? 0 : s;
  return r;
}
HELPER half lgamma_sign(half x, int* sign) { return (half)lgamma_sign((float)x, sign); }

// Doubles are precise enough for the plain formulas: gamma(1 - x) gamma(x) = pi / sin(pi x) for x <
// 1/2, and then, with z = y + 3, gamma(y) = gamma(z) / (y (y + 1) (y + 2)) and Stirling's formula
// with a polynomial in 1 / z. Beyond the limit, results overflow or underflow.
MATH float tgamma(float argument) {
  double x = argument;
  bool reflected = x < 0.5;
  double y = limit(reflected ? 1.0 - x : x, 0.0, 60.0);
  double z = y + 3.0, product = y * (y + 1.0) * (y + 2.0);
  double stirling = POLY6(1.0 / z, 0x1.40d931ffe6819p+1, 0x1.abcc3ad067175p-3, 0x1.1d460d8b9a984p-7,
                          -0x1.ba94206d4ce5fp-8, -0x1.9143959d2d932p-12, 0x1.9200da6693268p-10);
  double gamma = stirling * exp(MAD(z - 0.5, log(z), -z));
  double v = (reflected ? 0x1.921fb54442d18p+1 * product : gamma) /
             (reflected ? sinpi(x) * gamma : product);
  return x < 0 && FLOOR(x) == x ? NAN_F : (float)v;
}
MATH double tgamma(double x) { return libm_tgamma(x); }
HALF_UNARY(tgamma)

#define LGAMMA(T)                                                                                  \
  MATH T lgamma(T x) {                                                                             \
    int sign;                                                                                      \
    return lgamma_sign(x, &sign);                                                                  \
  }
LGAMMA(float)
LGAMMA(double)
LGAMMA(half)

#define LGAMMA_R(S, T)                                                                             \
  MATH_OUT T lgamma_r(T x, S int* sign_out) {                                                      \
    int sign;                                                                                      \
    T r = lgamma_sign(x, &sign);                                                                   \
    *sign_out = sign;                                                                              \
    return r;                                                                                      \
  }
FOR_SPACES(LGAMMA_R, float)
FOR_SPACES(LGAMMA_R, double)
FOR_SPACES(LGAMMA_R, half)
