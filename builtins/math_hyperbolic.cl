// OpenCL C 6.15.2: hyperbolic functions.
#include "math_exp.h"

// With t = e^|x| / 2: cosh = t + 1 / (4 t), sinh = t - 1 / (4 t).
MATH float cosh(float x) {
  float a = ABS(x);
  float t = exp_shifted(a > 90.0f ? 90.0f : a, -1);
  return t + 0.25f / t;
}
MATH double cosh(double x) {
  double a = ABS(x);
  double t = exp_shifted(a > 711.0 ? 711.0 : a, -1);
  return t + 0.25 / t;
}
HALF_UNARY(cosh)

MATH float sinh(float x) {
  float a = ABS(x), z = x * x;
  float t = exp_shifted(a > 90.0f ? 90.0f : a, -1);
  float p = POLY3(z, 0x1.55559cp-3f, 0x1.10f66ep-7f, 0x1.ab7224p-13f);
  return COPYSIGN(a < 1.0f ? MAD(a * z, p, a) : t - 0.25f / t, x);
}
MATH double sinh(double x) {
  double a = ABS(x), z = x * x;
  double t = exp_shifted(a > 711.0 ? 711.0 : a, -1);
  double p = POLY7(z, 0x1.5555555555556p-3, 0x1.111111111109dp-7, 0x1.a01a01a029acp-13,
                   0x1.71de3a457c25ap-19, 0x1.ae6467cfe827bp-26, 0x1.611a0ea6998c3p-33,
                   0x1.b4dd4bb4dd53dp-41);
  return COPYSIGN(a < 1.0 ? MAD(a * z, p, a) : t - 0.25 / t, x);
}
HALF_UNARY(sinh)

// (e^2x - 1) / (e^2x + 1), which is 1 to the last digit at the limit.
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
