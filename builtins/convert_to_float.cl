// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions to half, float and double, OpenCL C 6.4.3: the scalar overloads. Without a suffix
// they round to nearest even.
#include "rounding.h"

#define CONVERT(X, F)                                                                              \
  OVERLOAD F convert_##F(X x) { return to_##F##_rte(x); }                                          \
  OVERLOAD F convert_##F##_rte(X x) { return to_##F##_rte(x); }                                    \
  OVERLOAD F convert_##F##_rtz(X x) { return to_##F##_rtz(x); }                                    \
  OVERLOAD F convert_##F##_rtp(X x) { return to_##F##_rtp(x); }                                    \
  OVERLOAD F convert_##F##_rtn(X x) { return to_##F##_rtn(x); }
#define CONVERT_ALL(F)                                                                             \
  CONVERT(char, F)                                                                                 \
  CONVERT(uchar, F)                                                                                \
  CONVERT(short, F)                                                                                \
  CONVERT(ushort, F)                                                                               \
  CONVERT(int, F)                                                                                  \
  CONVERT(uint, F)                                                                                 \
  CONVERT(long, F)                                                                                 \
  CONVERT(ulong, F)                                                                                \
  CONVERT(half, F)                                                                                 \
  CONVERT(float, F)                                                                                \
  CONVERT(double, F)
CONVERT_ALL(half)
CONVERT_ALL(float)
CONVERT_ALL(double)
