// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer functions, OpenCL C 6.15.3: the scalar overloads (vectors are expanded by the compiler).
#include "builtins.h"

// Functions with the same definition for signed and unsigned types.
#define INTEGER_FUNCTIONS(T, U, BITS)                                                              \
  OVERLOAD T add_sat(T x, T y) { return __builtin_elementwise_add_sat(x, y); }                     \
  OVERLOAD T sub_sat(T x, T y) { return __builtin_elementwise_sub_sat(x, y); }                     \
  OVERLOAD T hadd(T x, T y) { return (T)((x & y) + ((x ^ y) >> 1)); }                              \
  OVERLOAD T rhadd(T x, T y) { return (T)((x | y) - ((x ^ y) >> 1)); }                             \
  OVERLOAD T max(T x, T y) { return x < y ? y : x; }                                               \
  OVERLOAD T min(T x, T y) { return y < x ? y : x; }                                               \
  OVERLOAD T clamp(T x, T lo, T hi) { return min(max(x, lo), hi); }                                \
  OVERLOAD T clz(T x) { return (T)__builtin_clzg((U)x, BITS); }                                    \
  OVERLOAD T ctz(T x) { return (T)__builtin_ctzg((U)x, BITS); }                                    \
  OVERLOAD T popcount(T x) { return (T)__builtin_popcountg((U)x); }                                \
  OVERLOAD T rotate(T x, T n) {                                                                    \
    return (T)(U)(((U)x << ((U)n & (BITS - 1))) | ((U)x >> (-(U)n & (BITS - 1))));                 \
  }                                                                                                \
  OVERLOAD U abs_diff(T x, T y) { return x < y ? (U)((U)y - (U)x) : (U)((U)x - (U)y); }            \
  OVERLOAD T mad_hi(T a, T b, T c) { return (T)((U)mul_hi(a, b) + (U)c); }
FOR_INTEGERS(INTEGER_FUNCTIONS)

#define ABS_SIGNED(T, U, BITS)                                                                     \
  OVERLOAD U abs(T x) { return x < 0 ? (U)(0 - (U)x) : (U)x; }
#define ABS_UNSIGNED(T, U, BITS)                                                                   \
  OVERLOAD U abs(T x) { return x; }
FOR_SIGNED(ABS_SIGNED)
FOR_UNSIGNED(ABS_UNSIGNED)

// The product of types up to 32 bits, plus an addend, fits a wider type W.
#define WIDENING_MULTIPLY(T, W, BITS, MIN, MAX)                                                    \
  OVERLOAD T mul_hi(T x, T y) { return (T)(((W)x * (W)y) >> BITS); }                               \
  OVERLOAD T mad_sat(T a, T b, T c) {                                                              \
    W r = (W)a * (W)b + (W)c;                                                                      \
    r = r < (W)MIN ? (W)MIN : r;                                                                   \
    return (T)(r > (W)MAX ? (W)MAX : r);                                                           \
  }
WIDENING_MULTIPLY(char, int, 8, CHAR_MIN, CHAR_MAX)
WIDENING_MULTIPLY(uchar, uint, 8, 0, UCHAR_MAX)
WIDENING_MULTIPLY(short, int, 16, SHRT_MIN, SHRT_MAX)
WIDENING_MULTIPLY(ushort, uint, 16, 0, USHRT_MAX)
WIDENING_MULTIPLY(int, long, 32, INT_MIN, INT_MAX)
WIDENING_MULTIPLY(uint, ulong, 32, 0, UINT_MAX)

// 64-bit products are computed from 32-bit halves, whose multiplications can be vectorized.
OVERLOAD ulong mul_hi(ulong x, ulong y) {
  ulong x0 = (uint)x, x1 = x >> 32, y0 = (uint)y, y1 = y >> 32;
  ulong low = x0 * y0;
  ulong middle = x1 * y0 + (low >> 32);
  ulong other = x0 * y1 + (uint)middle;
  return x1 * y1 + (middle >> 32) + (other >> 32);
}

OVERLOAD long mul_hi(long x, long y) {
  ulong r = mul_hi((ulong)x, (ulong)y);
  return (long)(r - ((ulong)(x >> 63) & (ulong)y) - ((ulong)(y >> 63) & (ulong)x));
}

OVERLOAD ulong mad_sat(ulong a, ulong b, ulong c) {
  ulong low = a * b;
  ulong sum = low + c;
  return mul_hi(a, b) != 0 || sum < low ? ULONG_MAX : sum;
}

OVERLOAD long mad_sat(long a, long b, long c) {
  ulong low = (ulong)a * (ulong)b;
  ulong sum = low + (ulong)c;
  long high = mul_hi(a, b) + (c >> 63) + (sum < low);
  long bound = high < 0 ? LONG_MIN : LONG_MAX;
  return high == (long)sum >> 63 ? (long)sum : bound;
}

#define UPSAMPLE(T, U, HI, LO, BITS)                                                               \
  OVERLOAD T upsample(HI hi, LO lo) { return (T)(((U)(LO)hi << BITS) | lo); }
UPSAMPLE(short, ushort, char, uchar, 8)
UPSAMPLE(ushort, ushort, uchar, uchar, 8)
UPSAMPLE(int, uint, short, ushort, 16)
UPSAMPLE(uint, uint, ushort, ushort, 16)
UPSAMPLE(long, ulong, int, uint, 32)
UPSAMPLE(ulong, ulong, uint, uint, 32)

// A full multiplication costs the same as one of 24 bits, so out-of-range operands just multiply.
OVERLOAD int mul24(int x, int y) { return (int)((uint)x * (uint)y); }
OVERLOAD uint mul24(uint x, uint y) { return x * y; }
OVERLOAD int mad24(int x, int y, int z) { return (int)((uint)x * (uint)y + (uint)z); }
OVERLOAD uint mad24(uint x, uint y, uint z) { return x * y + z; }
