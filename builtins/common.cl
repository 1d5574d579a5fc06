// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Common functions, OpenCL C 6.15.4: the scalar overloads (vectors are expanded by the compiler).
#include "builtins.h"

// T is the type of the function, W the type of the computation.
#define COMMON_FUNCTIONS(T, W)                                                                     \
  OVERLOAD T max(T x, T y) { return x < y ? y : x; }                                               \
  OVERLOAD T min(T x, T y) { return y < x ? y : x; }                                               \
  OVERLOAD T clamp(T x, T lo, T hi) { return min(max(x, lo), hi); }                                \
  OVERLOAD T degrees(T x) { return (T)((W)57.295779513082320876798 * (W)x); }                      \
  OVERLOAD T radians(T x) { return (T)((W)0.017453292519943295769237 * (W)x); }                    \
  OVERLOAD T mix(T x, T y, T a) { return (T)((W)x + ((W)y - (W)x) * (W)a); }                       \
  OVERLOAD T step(T edge, T x) { return x < edge ? (T)0 : (T)1; }                                  \
  OVERLOAD T sign(T x) {                                                                           \
    T zero_or_nan = x == (T)0 ? x : (T)0;                                                          \
    return x > (T)0 ? (T)1 : x < (T)0 ? (T)-1 : zero_or_nan;                                       \
  }                                                                                                \
  OVERLOAD T smoothstep(T edge0, T edge1, T x) {                                                   \
    W t = ((W)x - (W)edge0) / ((W)edge1 - (W)edge0);                                               \
    t = t < (W)0 ? (W)0 : t;                                                                       \
    t = t > (W)1 ? (W)1 : t;                                                                       \
    return (T)(t * t * ((W)3 - (W)2 * t));                                                         \
  }
COMMON_FUNCTIONS(float, float)
COMMON_FUNCTIONS(double, double)
COMMON_FUNCTIONS(half, float)
