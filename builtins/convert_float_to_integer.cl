// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions from half, float and double to integers, OpenCL C 6.4.3: the scalar overloads.
// Without a suffix they round toward zero; with saturation NaN converts to 0.
#include "builtins.h"

// Types whose values float and double represent exactly: the argument is clamped, then converted.
#define SATURATE_NARROW(T, F, MIN, MAX)                                                            \
  HELPER T saturate_##T(F x) {                                                                     \
    x = x == x ? x : (F)0;                                                                         \
    x = x < (F)MIN ? (F)MIN : x;                                                                   \
    x = x > (F)MAX ? (F)MAX : x;                                                                   \
    return (T)x;                                                                                   \
  }                                                                                                \
  HELPER T truncate_##T(F x) { return (T)(int)x; }
#define SATURATE_NARROW_ALL(F)                                                                     \
  SATURATE_NARROW(char, F, CHAR_MIN, CHAR_MAX)                                                     \
  SATURATE_NARROW(uchar, F, 0, UCHAR_MAX)                                                          \
  SATURATE_NARROW(short, F, SHRT_MIN, SHRT_MAX)                                                    \
  SATURATE_NARROW(ushort, F, 0, USHRT_MAX)
SATURATE_NARROW_ALL(float)
SATURATE_NARROW_ALL(double)

// Wider types: LOW is the smallest value, HIGH the largest plus one.
#define SATURATE_WIDE(T, F, MIN, MAX, LOW, HIGH)                                                   \
  HELPER T saturate_##T(F x) {                                                                     \
    bool in_range = (x >= (F)LOW) & (x < (F)HIGH);                                                 \
    T r = (T)(in_range ? x : (F)0);                                                                \
    r = x < (F)LOW ? (T)MIN : r;                                                                   \
    return x >= (F)HIGH ? (T)MAX : r;                                                              \
  }                                                                                                \
  HELPER T truncate_##T(F x) { return (T)x; }
#define SATURATE_WIDE_ALL(F)                                                                       \
  SATURATE_WIDE(int, F, INT_MIN, INT_MAX, -0x1p31, 0x1p31)                                         \
  SATURATE_WIDE(uint, F, 0, UINT_MAX, 0.0, 0x1p32)                                                 \
  SATURATE_WIDE(long, F, LONG_MIN, LONG_MAX, -0x1p63, 0x1p63)                                      \
  SATURATE_WIDE(ulong, F, 0, ULONG_MAX, 0.0, 0x1p64)
SATURATE_WIDE_ALL(float)
SATURATE_WIDE_ALL(double)

#define RTE(x) __builtin_elementwise_roundeven(x)
#define RTP(x) __builtin_elementwise_ceil(x)
#define RTN(x) __builtin_elementwise_floor(x)

// F is the type of the argument, W the type of the rounding.
#define CONVERT(T, F, W)                                                                           \
  OVERLOAD T convert_##T(F x) { return truncate_##T((W)x); }                                       \
  OVERLOAD T convert_##T##_rte(F x) { return truncate_##T(RTE((W)x)); }                            \
  OVERLOAD T convert_##T##_rtz(F x) { return truncate_##T((W)x); }                                 \
  OVERLOAD T convert_##T##_rtp(F x) { return truncate_##T(RTP((W)x)); }                            \
  OVERLOAD T convert_##T##_rtn(F x) { return truncate_##T(RTN((W)x)); }                            \
  OVERLOAD T convert_##T##_sat(F x) { return saturate_##T((W)x); }                                 \
  OVERLOAD T convert_##T##_sat_rte(F x) { return saturate_##T(RTE((W)x)); }                        \
  OVERLOAD T convert_##T##_sat_rtz(F x) { return saturate_##T((W)x); }                             \
  OVERLOAD T convert_##T##_sat_rtp(F x) { return saturate_##T(RTP((W)x)); }                        \
  OVERLOAD T convert_##T##_sat_rtn(F x) { return saturate_##T(RTN((W)x)); }
#define CONVERT_ALL(T, U, BITS)                                                                    \
  CONVERT(T, half, float) CONVERT(T, float, float) CONVERT(T, double, double)
FOR_INTEGERS(CONVERT_ALL)
