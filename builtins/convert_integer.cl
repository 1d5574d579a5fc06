// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions between integers, OpenCL C 6.4.3: the scalar overloads. Rounding modes have no
// effect.
#include "builtins.h"

#define CONVERT(T, X, SATURATED)                                                                   \
  OVERLOAD T convert_##T(X x) { return (T)x; }                                                     \
  OVERLOAD T convert_##T##_rte(X x) { return (T)x; }                                               \
  OVERLOAD T convert_##T##_rtz(X x) { return (T)x; }                                               \
  OVERLOAD T convert_##T##_rtp(X x) { return (T)x; }                                               \
  OVERLOAD T convert_##T##_rtn(X x) { return (T)x; }                                               \
  OVERLOAD T convert_##T##_sat(X x) { return SATURATED; }                                          \
  OVERLOAD T convert_##T##_sat_rte(X x) { return SATURATED; }                                      \
  OVERLOAD T convert_##T##_sat_rtz(X x) { return SATURATED; }                                      \
  OVERLOAD T convert_##T##_sat_rtp(X x) { return SATURATED; }                                      \
  OVERLOAD T convert_##T##_sat_rtn(X x) { return SATURATED; }

// Sources are compared with the bounds of T in a type that represents both: W for sources up to
// int, long for wider ones. No source exceeds the upper bound of ulong, so that of long is used for
// it.
#define BOUNDED(T, W, MIN, MAX) (T) min(max((W)x, (W)MIN), (W)MAX)
#define CONVERT_ALL(T, W, MIN, MAX, FROM_ULONG)                                                    \
  CONVERT(T, char, BOUNDED(T, W, MIN, MAX))                                                        \
  CONVERT(T, uchar, BOUNDED(T, W, MIN, MAX))                                                       \
  CONVERT(T, short, BOUNDED(T, W, MIN, MAX))                                                       \
  CONVERT(T, ushort, BOUNDED(T, W, MIN, MAX))                                                      \
  CONVERT(T, int, BOUNDED(T, W, MIN, MAX))                                                         \
  CONVERT(T, uint, BOUNDED(T, long, MIN, MAX))                                                     \
  CONVERT(T, long, BOUNDED(T, long, MIN, MAX))                                                     \
  CONVERT(T, ulong, FROM_ULONG)
#define AT_MOST(T, MAX) (T) min(x, (ulong)MAX)
CONVERT_ALL(char, int, CHAR_MIN, CHAR_MAX, AT_MOST(char, CHAR_MAX))
CONVERT_ALL(uchar, int, 0, UCHAR_MAX, AT_MOST(uchar, UCHAR_MAX))
CONVERT_ALL(short, int, SHRT_MIN, SHRT_MAX, AT_MOST(short, SHRT_MAX))
CONVERT_ALL(ushort, int, 0, USHRT_MAX, AT_MOST(ushort, USHRT_MAX))
CONVERT_ALL(int, int, INT_MIN, INT_MAX, AT_MOST(int, INT_MAX))
CONVERT_ALL(uint, long, 0, UINT_MAX, AT_MOST(uint, UINT_MAX))
CONVERT_ALL(long, long, LONG_MIN, LONG_MAX, AT_MOST(long, LONG_MAX))
CONVERT_ALL(ulong, long, 0, LONG_MAX, x)
