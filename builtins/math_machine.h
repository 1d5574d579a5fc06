// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions for which some CPUs have an instruction. For these the compiler replaces the calls;
// otherwise math_machine.cl defines them. Both give the same results as far as the comments specify
// them.
#ifndef HEDDLE_MATH_MACHINE_H
#define HEDDLE_MATH_MACHINE_H
#include "math_common.h"

// x 2^n rounded once, for x in [1/4, 4] and an integral or infinite n; NaN for a NaN n. If
// has_pick_step() is true, n may have a fraction; its floor is used.
float __attribute__((const)) __heddle_math_scale_f(float x, float n);
double __attribute__((const)) __heddle_math_scale_d(double x, double n);
// The exponent of |x|: an integral number, -inf for 0, inf for inf, NaN for NaN.
float __attribute__((const)) __heddle_math_exponent_f(float x);
double __attribute__((const)) __heddle_math_exponent_d(double x);
// x / 2^n, with an integral n, in [3/4, 3/2) for x > 0. 1 for inf, 1 or -1 for zeros, NaN for
// others.
float __attribute__((const)) __heddle_math_mantissa_f(float x);
double __attribute__((const)) __heddle_math_mantissa_d(double x);
// The same in [1, 2).
float __attribute__((const)) __heddle_math_significand_f(float x);
double __attribute__((const)) __heddle_math_significand_d(double x);
// 1 / sqrt(x) within 2^-14 for normal x > 0; inf for 0, 0 for inf, NaN for x < 0 and NaN.
float __attribute__((const)) __heddle_math_rsqrt_f(float x);
double __attribute__((const)) __heddle_math_rsqrt_d(double x);

// The same within 2^-11, for CPUs with AVX2; inf also for subnormal x >= 0.
float __attribute__((const)) __heddle_math_coarse_rsqrt_f(float x);

// 1 / x within 2^-14 for normal results; inf for 0, 0 for inf, NaN for NaN.
float __attribute__((const)) __heddle_math_reciprocal_f(float x);
// x if it is in [-m, m]; else m with the sign of x, also for NaN.
float __attribute__((const)) __heddle_math_within_f(float x, float m);
double __attribute__((const)) __heddle_math_within_d(double x, double m);
// table[i & 15]: a register permutation if has_pick_step() is true, otherwise a load. Functions
// that use tables when has_pick_step() is true have a variant without them.
float __attribute__((const)) __heddle_math_pick_f(uint i, __constant const float* table);
double __attribute__((const)) __heddle_math_pick_d(ulong i, __constant const double* table);
bool __attribute__((const)) __heddle_math_has_pick(void);

// sum + the dot product of the four unsigned bytes of a and the four signed ones of b, and the same
// saturated at the end. Used if has_dot_step() is true.
int __attribute__((const)) __heddle_math_dot_i(int sum, uint a, uint b);
int __attribute__((const)) __heddle_math_dot_sat_i(int sum, uint a, uint b);
bool __attribute__((const)) __heddle_math_has_dot(void);
// The same of bytes that are all signed or all unsigned. Used if has_alike_dot_step() is true.
int __attribute__((const)) __heddle_math_dot_ss_i(int sum, uint a, uint b);
int __attribute__((const)) __heddle_math_dot_uu_i(int sum, uint a, uint b);
bool __attribute__((const)) __heddle_math_has_alike_dot(void);

// The bfloat16 nearest to x, ties to even; a quiet NaN for NaN. Subnormal numbers are not zero.
ushort __attribute__((const)) __heddle_math_bfloat16_s(float x);

HELPER ushort bfloat16_step(float x) { return __heddle_math_bfloat16_s(x); }
HELPER float reciprocal_step(float x) { return __heddle_math_reciprocal_f(x); }
HELPER float coarse_rsqrt_step(float x) { return __heddle_math_coarse_rsqrt_f(x); }
HELPER float within_step(float x, float m) { return __heddle_math_within_f(x, m); }
HELPER double within_step(double x, double m) { return __heddle_math_within_d(x, m); }
HELPER float pick_step(uint i, __constant const float* table) {
  return __heddle_math_pick_f(i, table);
}
HELPER double pick_step(ulong i, __constant const double* table) {
  return __heddle_math_pick_d(i, table);
}
HELPER bool has_pick_step(void) { return __heddle_math_has_pick(); }
HELPER bool has_dot_step(void) { return __heddle_math_has_dot(); }
HELPER int dot_step(int sum, uint a, uint b) { return __heddle_math_dot_i(sum, a, b); }
HELPER int dot_sat_step(int sum, uint a, uint b) { return __heddle_math_dot_sat_i(sum, a, b); }
HELPER bool has_alike_dot_step(void) { return __heddle_math_has_alike_dot(); }
HELPER int dot_ss_step(int sum, uint a, uint b) { return __heddle_math_dot_ss_i(sum, a, b); }
HELPER int dot_uu_step(int sum, uint a, uint b) { return __heddle_math_dot_uu_i(sum, a, b); }
HELPER float scale_step(float x, float n) { return __heddle_math_scale_f(x, n); }
HELPER double scale_step(double x, double n) { return __heddle_math_scale_d(x, n); }
HELPER float exponent_step(float x) { return __heddle_math_exponent_f(x); }
HELPER double exponent_step(double x) { return __heddle_math_exponent_d(x); }
HELPER float mantissa_step(float x) { return __heddle_math_mantissa_f(x); }
HELPER double mantissa_step(double x) { return __heddle_math_mantissa_d(x); }
HELPER float significand_step(float x) { return __heddle_math_significand_f(x); }
HELPER double significand_step(double x) { return __heddle_math_significand_d(x); }
HELPER float rsqrt_step(float x) { return __heddle_math_rsqrt_f(x); }
HELPER double rsqrt_step(double x) { return __heddle_math_rsqrt_d(x); }

#endif
