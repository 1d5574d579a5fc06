// OpenCL C 6.15.2: the functions that libm provides within OpenCL's bounds.
#include "math_common.h"
#include "math_libm.h"

#define FROM_LIBM(name)                                                                            \
  LIBM_UNARY(name)                                                                                 \
  MATH float name(float x) { return libm_##name##f(x); }                                           \
  MATH double name(double x) { return libm_##name(x); }                                            \
  HALF_UNARY(name)
FROM_LIBM(acos)
FROM_LIBM(acosh)
FROM_LIBM(asin)
FROM_LIBM(asinh)
FROM_LIBM(atan)
FROM_LIBM(atanh)
FROM_LIBM(cbrt)
FROM_LIBM(cos)
FROM_LIBM(cosh)
FROM_LIBM(erf)
FROM_LIBM(erfc)
FROM_LIBM(exp)
FROM_LIBM(exp2)
FROM_LIBM(exp10)
FROM_LIBM(expm1)
FROM_LIBM(log)
FROM_LIBM(log2)
FROM_LIBM(log10)
FROM_LIBM(log1p)
FROM_LIBM(sin)
FROM_LIBM(sinh)
FROM_LIBM(tan)
FROM_LIBM(tanh)

LIBM_BINARY(atan2)
LIBM_BINARY(hypot)
LIBM_BINARY(pow)
MATH float atan2(float y, float x) { return libm_atan2f(y, x); }
MATH double atan2(double y, double x) { return libm_atan2(y, x); }
HALF_BINARY(atan2)
MATH float hypot(float y, float x) { return libm_hypotf(y, x); }
MATH double hypot(double y, double x) { return libm_hypot(y, x); }
HALF_BINARY(hypot)
#define INV_PI 0.31830988618379067154
#define INVERSE(T)                                                                                 \
  MATH T acospi(T x) { return (T)(libm_acos((double)x) * INV_PI); }                                \
  MATH T asinpi(T x) { return (T)(libm_asin((double)x) * INV_PI); }                                \
  MATH T atanpi(T x) { return (T)(libm_atan((double)x) * INV_PI); }                                \
  MATH T atan2pi(T y, T x) { return (T)(libm_atan2((double)y, (double)x) * INV_PI); }
INVERSE(float)
INVERSE(double)
INVERSE(half)

#define POW(T)                                                                                     \
  MATH T pow(T x, T y) { return (T)libm_pow((double)x, (double)y); }                               \
  MATH T pown(T x, int y) { return (T)libm_pow((double)x, (double)y); }                            \
  MATH T powr(T x, T y) {                                                                          \
    bool bad = x < 0 || x != x || y != y || (y == 0 && (x == 0 || x == (T)INFINITY)) ||            \
               (x == 1 && ABS(y) == (T)INFINITY);                                                  \
    return bad ? (T)NAN : (T)libm_pow((double)ABS(x), (double)y);                                  \
  }                                                                                                \
  MATH T rootn(T x, int n) {                                                                       \
    bool odd = n & 1;                                                                              \
    T r = (T)libm_pow((double)ABS(x), 1.0 / (double)n);                                            \
    r = odd ? COPYSIGN(r, x) : r;                                                                  \
    return n == 0 || (x < 0 && !odd) ? (T)NAN : r;                                                 \
  }
POW(float)
POW(double)
POW(half)

HELPER double quarter(double x, int* quadrant) {
  double r = x - 2 * RINT(x * 0.5);
  double n = RINT(2 * r);
  *quadrant = x - x == 0 ? (int)n & 3 : 0;
  return (r - n * 0.5) * 3.14159265358979323846;
}
HELPER double sinpi_of(double x) {
  int q;
  double r = quarter(x, &q);
  double v = q & 1 ? libm_cos(r) : libm_sin(r);
  v = q & 2 ? -v : v;
  return v == 0 ? COPYSIGN(0.0, x) : v;
}
HELPER double cospi_of(double x) {
  int q;
  double r = quarter(ABS(x), &q);
  double v = q & 1 ? -libm_sin(r) : libm_cos(r);
  v = q & 2 ? -v : v;
  return v == 0 ? 0.0 : v;
}
HELPER double tanpi_of(double x) {
  int q;
  double r = quarter(x, &q);
  double s = libm_sin(r), c = libm_cos(r);
  double v = q & 1 ? -c / s : s / c;
  v = v == 0 ? COPYSIGN(0.0, q == 0 ? x : -x) : v;
  return q & 1 && r == 0 ? (q == 1 ? INF_D : -INF_D) : v;
}
#define PI_FUNCTIONS(T)                                                                            \
  MATH T sinpi(T x) { return (T)sinpi_of((double)x); }                                             \
  MATH T cospi(T x) { return (T)cospi_of((double)x); }                                             \
  MATH T tanpi(T x) { return (T)tanpi_of((double)x); }
PI_FUNCTIONS(float)
PI_FUNCTIONS(double)
PI_FUNCTIONS(half)

#define SINCOS(S, T)                                                                               \
  MATH_OUT T sincos(T x, S T* c) {                                                                 \
    *c = cos(x);                                                                                   \
    return sin(x);                                                                                 \
  }
FOR_SPACES(SINCOS, float)
FOR_SPACES(SINCOS, double)
FOR_SPACES(SINCOS, half)
