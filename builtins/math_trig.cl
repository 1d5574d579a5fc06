// OpenCL C 6.15.2: sine, cosine, tangent, of radians and of half turns.
#include "math_trig.h"

#define TRIGONOMETRY(T)                                                                            \
  HELPER T in_quadrant(T s, T c, int q) {                                                          \
    T v = q & 1 ? c : s;                                                                           \
    return q & 2 ? -v : v;                                                                         \
  }                                                                                                \
  MATH T sin(T x) {                                                                                \
    int q;                                                                                         \
    T r = reduce_trig(x, &q);                                                                      \
    T v = in_quadrant(sin_reduced(r), cos_reduced(r), q);                                          \
    return x == 0 ? x : v;                                                                         \
  }                                                                                                \
  MATH T cos(T x) {                                                                                \
    int q;                                                                                         \
    T r = reduce_trig(x, &q);                                                                      \
    return in_quadrant(sin_reduced(r), cos_reduced(r), q + 1);                                     \
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
    T r = reduce_trig(x, &q);                                                                      \
    T s = sin_reduced(r), c = cos_reduced(r);                                                      \
    T v = (q & 1 ? -c : s) / (q & 1 ? s : c);                                                      \
    return x == 0 ? x : v;                                                                         \
  }                                                                                                \
  MATH T sinpi(T x) {                                                                              \
    int q;                                                                                         \
    T r = reduce_pi(x, &q);                                                                        \
    T v = in_quadrant(sinpi_reduced(r), cospi_reduced(r), q);                                      \
    return v == 0 ? COPYSIGN((T)0, x) : v;                                                         \
  }                                                                                                \
  MATH T cospi(T x) {                                                                              \
    int q;                                                                                         \
    T r = reduce_pi(x, &q);                                                                        \
    T v = in_quadrant(sinpi_reduced(r), cospi_reduced(r), q + 1);                                  \
    return v == 0 ? (T)0 : v;                                                                      \
  }                                                                                                \
  MATH T tanpi(T x) {                                                                              \
    int q;                                                                                         \
    T r = reduce_pi(x, &q);                                                                        \
    T s = sinpi_reduced(r), c = cospi_reduced(r);                                                  \
    T v = (q & 1 ? -c : s) / (q & 1 ? s : c);                                                      \
    v = v == 0 ? COPYSIGN((T)0, q & 2 ? -x : x) : v;                                               \
    return (q & 1) && r == 0 ? (q & 2 ? -(T)INFINITY : (T)INFINITY) : v;                           \
  }
TRIGONOMETRY(float)
TRIGONOMETRY(double)
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
