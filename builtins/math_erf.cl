// OpenCL C 6.15.2: error functions.
#include "math_exp.h"

// erfc(a) for a >= 0. e^(a^2) (1 + 2 a) erfc(a) is smooth in (a - K) / (a + K); the rounding error
// of a^2 is carried into the exponential.
HELPER float erfc_positive(float a) {
  a = a > 11.0f ? 11.0f : a;
  float t = (a - 2.0f) / (a + 2.0f);
  float p =
      POLY10(t, 0x1.46e80ep+0f, -0x1.7bf616p-4f, -0x1.540848p-3f, 0x1.4ffc4p-3f, -0x1.bc0aa4p-5f,
             -0x1.081b22p-7f, 0x1.1ad7a8p-7f, 0x1.5854a2p-10f, -0x1.4269dap-10f, -0x1.a405f8p-12f);
  float z = a * a, z_low = FMA(a, a, -z);
  int n;
  float r = reduce_exp(-z, &n) - z_low;
  float e = MAD(r * r, exp_tail(r), r) + 1.0f;
  return scale_twice(e * p / MAD(2.0f, a, 1.0f), n);
}
HELPER double erfc_positive(double a) {
  a = a > 28.0 ? 28.0 : a;
  double t = (a - 4.0) / (a + 4.0);
  double p = POLY23(
      t, 0x1.3ba5916e9fd7fp+0, -0x1.1df1ad154a29bp-3, 0x1.f7f5df66fd7f6p-7, 0x1.16ecefcfa5f68p-4,
      -0x1.9ddb23c3e9099p-4, 0x1.7fee004df8445p-4, -0x1.0fb06dfe4f8fcp-4, 0x1.3079edf9d1283p-5,
      -0x1.09623882328aep-6, 0x1.49c6719968c41p-8, -0x1.8d4a9e70b932dp-11, -0x1.a1de86541ff5ep-13,
      0x1.3be0b9eb0e27ep-13, -0x1.9969e3825429dp-16, -0x1.78a47b074951p-17, 0x1.7fb1e0d2631eep-18,
      0x1.437d4d83d7ba1p-22, -0x1.c02969e9da651p-21, 0x1.0e1a79c7e84efp-24, 0x1.ee9c60723ec6fp-24,
      -0x1.0d7273a234bbp-27, -0x1.d50386e8f3c0ap-27, -0x1.eed70af841c6bp-30);
  double z = a * a, z_low = FMA(a, a, -z);
  long n;
  double r = reduce_exp(-z, &n) - z_low;
  double e = MAD(r * r, exp_tail(r), r) + 1.0;
  return scale_twice(e * p / MAD(2.0, a, 1.0), n);
}

// (erf(a) - a) / a for 0 <= a <= 1, in z = a^2.
HELPER float erf_tail(float z) {
  return POLY7(z, 0x1.06eba8p-3f, -0x1.81273ep-2f, 0x1.ce2d1ap-4f, -0x1.b7fb58p-6f, 0x1.5416ep-8f,
               -0x1.a46dc6p-11f, 0x1.4a9e7p-14f);
}
HELPER double erf_tail(double z) {
  return POLY12(z, 0x1.06eba8214db68p-3, -0x1.812746b0379c1p-2, 0x1.ce2f21a040f8fp-4,
                -0x1.b82ce31203eafp-6, 0x1.565bccfa4d2fcp-8, -0x1.c02db066eac6p-11,
                0x1.f9a2be4a2f25fp-14, -0x1.f4ca822fe5b07p-17, 0x1.b981c0811020bp-20,
                -0x1.5c12503eb8947p-23, 0x1.d76439eed4483p-27, -0x1.ac7d6611be6c4p-31);
}

#define ERROR_FUNCTIONS(T)                                                                         \
  MATH T erfc(T x) {                                                                               \
    T r = erfc_positive(ABS(x));                                                                   \
    return x < 0 ? (T)2 - r : r;                                                                   \
  }                                                                                                \
  MATH T erf(T x) {                                                                                \
    T a = ABS(x);                                                                                  \
    T inner = MAD(a, erf_tail(x * x), a);                                                          \
    T outer = (T)1 - erfc_positive(a);                                                             \
    return COPYSIGN(a < (T)1 ? inner : outer, x);                                                  \
  }
ERROR_FUNCTIONS(float)
ERROR_FUNCTIONS(double)
HALF_UNARY(erfc)
HALF_UNARY(erf)
