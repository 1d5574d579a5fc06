// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenCL C 6.15.2: sine, cosine, tangent, of radians and of half turns.
#include "math_trig.h"

#define TRIGONOMETRY(T, U)                                                                         \
  HELPER T in_quadrant(T s, T c, int q) {                                                          \
    T v = q & 1 ? c : s;                                                                           \
    return q & 2 ? -v : v;                                                                         \
  }                                                                                                \
  HELPER T sin_of_half(T r, U turns) {                                                             \
    return COPYSIGN(sin_half(ABS(r)), as_##T(as_##U(r) ^ (turns << (sizeof(T) * 8 - 1))));         \
  }                                                                                                \
  MATH T sin(T x) {                                                                                \
    U turns;                                                                                       \
    T r = reduce_half(x, false, &turns);                                                           \
    return sin_of_half(r, turns);                                                                  \
  }                                                                                                \
  MATH T cos(T x) {                                                                                \
    U turns;                                                                                       \
    T r = reduce_half(x, true, &turns);                                                            \
    return sin_of_half(r, turns);                                                                  \
  }                                                                                                \
  HELPER T sin_and_cos(T x, T* cosine) {                                                           \
    int q;                                                                                         \
    T r = reduce_trig(x, &q);                                                                      \
    T s = sin_reduced(r), c = cos_reduced(r);                                                      \
    *cosine = in_quadrant(s, c, q + 1);                                                            \
    return x == 0 ? x : in_quadrant(s, c, q);                                                      \
  }                                                                                                \
  MATH T tan(T x) {                                                                                \
    int q;                                                                                         \
    T below, above = tan_fraction(reduce_trig(x, &q), &below);                                     \
    return (q & 1 ? -below : above) / (q & 1 ? above : below);                                     \
  }                                                                                                \
  /* x modulo 2 in [-1, 1], exact. */                                                              \
  HELPER T reduce_turn(T x) { return FMA((T)-2, RINT((T)0.5 * x), x); }                            \
  /* sin(pi u) = sin(pi (1 - u)) is a function of u (1 - u), which has one rounding. */            \
  MATH T sinpi(T x) {                                                                              \
    T u = reduce_turn(x), a = ABS(u);                                                              \
    T v = sinpi_arch(FMA(-a, a, a));                                                               \
    return COPYSIGN(v, v == 0 ? x : u);                                                            \
  }                                                                                                \
  MATH T cospi(T x) { return sinpi_half((T)0.5 - ABS(reduce_turn(x))); }                           \
  MATH T tanpi(T x) {                                                                              \
    int q;                                                                                         \
    T below, above = tanpi_fraction(reduce_pi(x, &q), &below);                                     \
    T v = (q & 1 ? -below : above) / (q & 1 ? above : below);                                      \
    if (RARELY(above == 0)) {                                                                      \
      T zero = COPYSIGN((T)0, q & 2 ? -x : x), pole = q & 2 ? -(T)INFINITY : (T)INFINITY;          \
      v = q & 1 ? pole : zero;                                                                     \
    }                                                                                              \
    return v;                                                                                      \
  }
TRIGONOMETRY(float, uint)
TRIGONOMETRY(double, ulong)
HALF_UNARY(sin)
HALF_UNARY(cos)
HALF_UNARY(tan)
HALF_UNARY(sinpi)
HALF_UNARY(cospi)
HALF_UNARY(tanpi)
HELPER half sin_and_cos(half x, half* cosine) {
  float c, s = sin_and_cos((float)x, &c);
  *cosine = (half)c;
  return (half)s;
}

#define SINCOS(S, T)                                                                               \
  MATH_OUT T sincos(T x, S T* cosine) {                                                            \
    T c, s = sin_and_cos(x, &c);                                                                   \
    *cosine = c;                                                                                   \
    return s;                                                                                      \
  }
FOR_SPACES(SINCOS, float)
FOR_SPACES(SINCOS, double)
FOR_SPACES(SINCOS, half)
