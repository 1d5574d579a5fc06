// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of logarithms: x = m 2^k with m in [3/4, 3/2), and ln(1 + f).
#ifndef HEDDLE_MATH_LOG_H
#define HEDDLE_MATH_LOG_H
#include "math_common.h"
#include "math_machine.h"

// x = m 2^k with m in [3/4, 3/2): f = m - 1. k is -inf for x = 0 and inf for x = inf, with a finite
// f, so that the logarithm is infinite; f is NaN for x < 0 and for NaN.
//
// Without instructions for the steps, the bits of ordinary numbers are split: added to them, one
// half of a significand carries into the exponent from 3/2 on.
#define SPLIT_WHOLE(T, I, U, MANTISSA, WHOLE, WHOLE_BIAS)                                          \
  HELPER T split_by_steps(T x, T* k) {                                                             \
    T m = mantissa_step(x);                                                                        \
    *k = exponent_step(x) - exponent_step(m);                                                      \
    return m - (T)1;                                                                               \
  }                                                                                                \
  HELPER U carried(T x) { return as_##U(x) + ((U)1 << (MANTISSA - 1)); }                           \
  HELPER T carried_exponent(U bits) {                                                              \
    return as_##T(bits >> MANTISSA | as_##U(WHOLE)) - WHOLE_BIAS;                                  \
  }                                                                                                \
  /* Whether x is positive, with an exponent far enough from the ends: one comparison. */          \
  HELPER bool has_ordinary_bits(T x) {                                                             \
    return (I)(as_##U(x) + ((U)3 << MANTISSA)) >= ((I)6 << MANTISSA);                              \
  }                                                                                                \
  HELPER T split_whole(T x, T* k) {                                                                \
    if (has_pick_step())                                                                           \
      return split_by_steps(x, k);                                                                 \
    U bits = carried(x);                                                                           \
    T whole = carried_exponent(bits);                                                              \
    T f = as_##T((bits & (((U)1 << MANTISSA) - 1)) + as_##U((T)0.75)) - (T)1;                      \
    if (RARELY(!has_ordinary_bits(x)))                                                             \
      f = split_by_steps(x, &whole);                                                               \
    *k = whole;                                                                                    \
    return f;                                                                                      \
  }
SPLIT_WHOLE(float, int, uint, 23, 0x1p23f, 0x1.0000fep+23f)
SPLIT_WHOLE(double, long, ulong, 52, 0x1p52, 0x1.00000000003ffp+52)

// (ln(1 + f) - f) / f^2 and log2(1 + f) / f for f in [-1/4, 1/2].
HELPER float log_quotient(float f) {
  return POLY9(f, -0x1p-1f, 0x1.5555a4p-2f, -0x1.00009ep-2f, 0x1.996a56p-3f, -0x1.54d822p-3f,
               0x1.284c5ap-3f, -0x1.0e387ap-3f, 0x1.b202cap-4f, -0x1.7ab82ep-5f);
}
HELPER float log2_quotient(float f) {
  return POLY10(f, 0x1.715476p+0f, -0x1.715476p-1f, 0x1.ec713ep-2f, -0x1.71557cp-2f, 0x1.274f7ap-2f,
                -0x1.ebac6p-3f, 0x1.abd456p-3f, -0x1.86a4fcp-3f, 0x1.38c63cp-3f, -0x1.0ef584p-4f);
}
// (log10(1 + f) - f c) / f^2 with c = log10(e) as a float.
HELPER float log10_rest(float f) {
  return POLY9(f, -0x1.bcb7b2p-3f, 0x1.287a5cp-3f, -0x1.bcb648p-4f, 0x1.63a97cp-4f, -0x1.285b6ap-4f,
               0x1.0183b2p-4f, -0x1.d0c802p-5f, 0x1.6d17b2p-5f, -0x1.37395cp-6f);
}

// ln(1 + f) - f for f in [-1/4, 1/2].
HELPER float log_tail(float f) { return f * f * log_quotient(f); }
HELPER double log_tail(double f) {
  double s = f / (2.0 + f);
  double z = s * s;
  double p =
      POLY7(z, 0x1.555555555561ap-1, 0x1.9999999937f3p-2, 0x1.249249898ed9dp-2,
            0x1.c71c173653235p-3, 0x1.7471dec13b563p-3, 0x1.3887ead3fd6cep-3, 0x1.394de2f2ef0b2p-3);
  return s * MAD(z, p, -f);
}
HELPER double log_of_sum(double f) {
  double s = f / (2.0 + f);
  double z = s * s;
  double p =
      POLY7(z, 0x1.555555555561ap-1, 0x1.9999999937f3p-2, 0x1.249249898ed9dp-2,
            0x1.c71c173653235p-3, 0x1.7471dec13b563p-3, 0x1.3887ead3fd6cep-3, 0x1.394de2f2ef0b2p-3);
  return MAD(s, MAD(z, p, -f), f);
}

// ln(1 + f) + k ln 2. Both parts of ln 2 are positive, so an infinite k gives an infinite result.
HELPER float log_sum(float f, float k) {
  float low = MAD(k, 0x1.7f7d1cp-20f, log_tail(f));
  return MAD(k, 0x1.62e4p-1f, f + low);
}
HELPER double log_sum(double f, double k) {
  double low = MAD(k, 0x1.ef35793c76730p-45, log_tail(f));
  return MAD(k, 0x1.62e42fefa38p-1, f + low);
}

// ln(1 + x). With an integral k such that (1 + x) / 2^k is in about [3/4, 3/2), (1 + x) / 2^k - 1
// can be computed with one rounding, unlike 1 + x. At -1 and inf only k matters.
#define LOG1P_WHOLE(T, U, MANTISSA, TWO_THIRDS)                                                    \
  HELPER T log1p_ordinary(T x) {                                                                   \
    T sum = (T)1 + x;                                                                              \
    if (has_pick_step()) {                                                                         \
      T k = (T)1 + exponent_step(sum * TWO_THIRDS);                                                \
      T s = scale_step((T)1, -k);                                                                  \
      T f = FMA(s, x, s - (T)1);                                                                   \
      return log_sum(f < (T)1 ? f : (T)0, k);                                                      \
    }                                                                                              \
    U bits = carried(sum);                                                                         \
    T k = carried_exponent(bits);                                                                  \
    T s = as_##T(2 * as_##U((T)1) - (bits >> MANTISSA << MANTISSA));                               \
    T f = FMA(s, x, s - (T)1);                                                                     \
    if (RARELY(!has_ordinary_bits(sum)))                                                           \
      f = split_by_steps(sum, &k);                                                                 \
    return log_sum(f, k);                                                                          \
  }
LOG1P_WHOLE(float, uint, 23, 0x1.555554p-1f)
LOG1P_WHOLE(double, ulong, 52, 0x1.5555555555554p-1)

#endif
