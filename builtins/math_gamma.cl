// OpenCL C 6.15.2: gamma functions, by libm, whose results are within the bounds.
#include "math_common.h"
#include "math_libm.h"

LIBM_UNARY(tgamma)
float libm_lgammaf_r(float, int*) __asm__("lgammaf_r");
double libm_lgamma_r(double, int*) __asm__("lgamma_r");

// libm leaves the sign at 1 for -0 and NaN alone; OpenCL has 0 where no sign can be told.
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

MATH float tgamma(float x) { return libm_tgammaf(x); }
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
