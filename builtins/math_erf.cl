// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenCL C 6.15.2: error functions.
#include "math_erf.h"
#include "math_erf_rows.h"
#include "math_exp.h"

// erfc(a) for a >= 0. e^(a^2) (a + K) erfc(a) is smooth in (a - K) / (a + K); the exponential
// compensates the rounding error of a^2, and is zero where erfc() is, without subnormal products.
HELPER float erfc_positive(float a) {
  a = a > 10.1f ? 13.26f : a;
  float inverse = 1.0f / (a + 2.0f);
  float t = (a - 2.0f) * inverse;
  float p =
      POLY9(t, 0x1.058672p+0f, -0x1.5fd39p-1f, 0x1.1e2d48p-2f, -0x1.2a7a34p-5f, -0x1.5ffc5cp-6f,
            0x1.a5e3d2p-8f, 0x1.867752p-9f, -0x1.8bdf5ap-11f, -0x1.e41f82p-12f);
  float z = a * a, z_low = FMA(a, a, -z);
  float n, e = exp_parts(-z, z_low, &n);
  return scale_near(e * (p * inverse), n);
}
HELPER double erfc_positive(double a) {
  a = a > 27.3 ? 37.65 : a;
  double inverse = 1.0 / (a + 4.0);
  double t = (a - 4.0) * inverse;
  double u = t * t;
  double even = POLY11(u, 0x1.18932bf08e155p+0, 0x1.8be202d26c661p-1, 0x1.52cac23713eb1p-2,
                       0x1.38dbd2c7b82c7p-4, 0x1.908f47e6db846p-8, -0x1.dd289230615c4p-12,
                       -0x1.e74e3fcaec33fp-19, 0x1.3a4230b3f0a6bp-18, -0x1.bc2cac2022117p-21,
                       0x1.c8c07cf657274p-24, -0x1.f60055e5f86fbp-28);
  double odd = POLY10(u, -0x1.f3fe31ecb49d7p-1, -0x1.14eacb1acf987p-1, -0x1.645fd8a505e13p-3,
                      -0x1.b00c050c99f7cp-6, -0x1.269b8c9d125bbp-12, 0x1.72cfa48e7cb5ap-13,
                      -0x1.3c98c8d1b740bp-16, 0x1.82715e37224e8p-20, -0x1.7e5f179371788p-24,
                      0x1.9d487a7b5d249p-28);
  double p = MAD(t, odd, even);
  double z = a * a, z_low = FMA(a, a, -z);
  double n, e = exp_parts(-z, z_low, &n);
  return scale_near(e * (p * inverse), n);
}

// erf(a) for a >= 0, with tables of 16.
HELPER float erf_from_table(float a) {
  float sum = MAD(a, 4.0f, SHIFTER_F), t = MAD(sum - SHIFTER_F, -0.25f, a);
  uint i = as_uint(sum);
  float v = a * POLY6(t, pick_step(i, kErf32[0]), pick_step(i, kErf32[1]), pick_step(i, kErf32[2]),
                      pick_step(i, kErf32[3]), pick_step(i, kErf32[4]), pick_step(i, kErf32[5]));
  return a > 3.875f || v > 1.0f ? 1.0f : v;
}
HELPER double erf_from_table(double a) {
  double sum = MAD(a, 0x1.5555555555555p+1, SHIFTER_D), t = MAD(sum - SHIFTER_D, -0.375, a);
  ulong i = as_ulong(sum);
  double v =
      a * POLY12(t, pick_step(i, kErf64[0]), pick_step(i, kErf64[1]), pick_step(i, kErf64[2]),
                 pick_step(i, kErf64[3]), pick_step(i, kErf64[4]), pick_step(i, kErf64[5]),
                 pick_step(i, kErf64[6]), pick_step(i, kErf64[7]), pick_step(i, kErf64[8]),
                 pick_step(i, kErf64[9]), pick_step(i, kErf64[10]), pick_step(i, kErf64[11]));
  return a > 5.8125 || v > 1.0 ? 1.0 : v;
}

// The same as a fraction of polynomials in a^2, and with a row of coefficients for each multiple of
// 1/16.
HELPER float erf_alone(float a) {
  float z = a * a;
  float above = POLY6(z, 0x1.20dd74p+0f, 0x1.873fp-3f, 0x1.b0af94p-5f, 0x1.f0a132p-9f,
                      0x1.2a94bcp-12f, 0x1.115212p-19f);
  float below = POLY6(z, 1.0f, 0x1.01597cp-1f, 0x1.d46862p-4f, 0x1.ec0e48p-7f, 0x1.31eb38p-10f,
                      0x1.3e4adcp-15f);
  float v = a * above / below;
  return a > 3.9375f || v > 1.0f ? 1.0f : v;
}
HELPER double erf_alone(double a) {
  double sum = MAD(a, 16.0, SHIFTER_D), t = MAD(sum - SHIFTER_D, -0x1p-4, a);
  __constant const double4* row = kErfRows64[as_ulong(sum) & 127];
  double4 c = row[0], d = row[1];
  double v = a * POLY8(t, c.x, c.y, c.z, c.w, d.x, d.y, d.z, d.w);
  return a > 5.9375 || v > 1.0 ? 1.0 : v;
}

#define ERROR_FUNCTIONS(T)                                                                         \
  MATH T erfc(T x) {                                                                               \
    T r = erfc_positive(ABS(x));                                                                   \
    return x < 0 ? (T)2 - r : r;                                                                   \
  }                                                                                                \
  MATH T erf(T x) {                                                                                \
    T a = ABS(x);                                                                                  \
    return COPYSIGN(has_pick_step() ? erf_from_table(a) : erf_alone(a), x);                        \
  }
ERROR_FUNCTIONS(float)
ERROR_FUNCTIONS(double)
HALF_UNARY(erfc)
HALF_UNARY(erf)
