// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of math_machine.h for CPUs without instructions for them.
#include "math_exp.h"
#include "math_machine.h"

// The bits of the significand of a number that is finite and not zero.
HELPER uint significand_bits(float x) {
  uint bits = as_uint(x) & 0x7fffffff;
  return (bits < 0x800000 ? as_uint(as_float(bits) * 0x1p24f) : bits) & 0x7fffff;
}
HELPER ulong significand_bits(double x) {
  ulong bits = as_ulong(x) & 0x7fffffffffffffff;
  return (bits < 0x10000000000000 ? as_ulong(as_double(bits) * 0x1p54) : bits) & 0xfffffffffffff;
}

#define MACHINE_STEPS(T, I, LETTER, SHIFTER, ONE, MOST)                                            \
  T __heddle_math_scale_##LETTER(T x, T n) {                                                       \
    T v = scale_twice(x, as_##I(limit(n, -MOST, MOST) + SHIFTER) - as_##I(SHIFTER));               \
    return n == n ? v : n;                                                                         \
  }                                                                                                \
  T __heddle_math_exponent_##LETTER(T x) {                                                         \
    T a = ABS(x), e = (T)exponent_of(x);                                                           \
    e = a == 0 ? -(T)INFINITY : e;                                                                 \
    return a < (T)INFINITY ? e : a;                                                                \
  }                                                                                                \
  T __heddle_math_significand_##LETTER(T x) {                                                      \
    T m = as_##T(significand_bits(x) | ONE);                                                       \
    m = x == 0 || x == (T)INFINITY ? (T)1 : m;                                                     \
    return x >= 0 ? m : (T)NAN;                                                                    \
  }                                                                                                \
  T __heddle_math_mantissa_##LETTER(T x) {                                                         \
    T m = __heddle_math_significand_##LETTER(x);                                                   \
    return m < (T)1.5 ? m : m * (T)0.5;                                                            \
  }                                                                                                \
  T __heddle_math_within_##LETTER(T x, T m) {                                                      \
    T a = ABS(x);                                                                                  \
    return COPYSIGN(a < m ? a : m, x);                                                             \
  }                                                                                                \
  T __heddle_math_rsqrt_##LETTER(T x) { return (T)1 / SQRT(x); }
MACHINE_STEPS(float, int, f, SHIFTER_F, 0x3f800000, 250.0f)
MACHINE_STEPS(double, long, d, SHIFTER_D, 0x3ff0000000000000, 2040.0)

// Only NaNs have bits whose carry would reach the sign.
ushort __heddle_math_bfloat16_s(float x) {
  uint bits = as_uint(x);
  uint rounded = bits + 0x7fff + (bits >> 16 & 1);
  return (ushort)((x == x ? rounded : bits | 0x400000) >> 16);
}
float __heddle_math_coarse_rsqrt_f(float x) { return 1.0f / SQRT(x); }
float __heddle_math_reciprocal_f(float x) { return 1.0f / x; }
float __heddle_math_pick_f(uint i, __constant const float* table) { return table[i & 15]; }
double __heddle_math_pick_d(ulong i, __constant const double* table) { return table[i & 15]; }
bool __heddle_math_has_pick(void) { return false; }
bool __heddle_math_has_dot(void) { return false; }
int __heddle_math_dot_i(int sum, uint a, uint b) {
  const int4 products = convert_int4(as_uchar4(a)) * convert_int4(as_char4(b));
  return sum + products.x + products.y + products.z + products.w;
}
bool __heddle_math_has_alike_dot(void) { return false; }
int __heddle_math_dot_ss_i(int sum, uint a, uint b) {
  const int4 products = convert_int4(as_char4(a)) * convert_int4(as_char4(b));
  return sum + products.x + products.y + products.z + products.w;
}
int __heddle_math_dot_uu_i(int sum, uint a, uint b) {
  const int4 products = convert_int4(as_uchar4(a)) * convert_int4(as_uchar4(b));
  return sum + products.x + products.y + products.z + products.w;
}
int __heddle_math_dot_sat_i(int sum, uint a, uint b) {
  return __builtin_elementwise_add_sat(sum, __heddle_math_dot_i(0, a, b));
}
