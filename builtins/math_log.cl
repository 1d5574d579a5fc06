// OpenCL C 6.15.2: logarithms and the inverse hyperbolic functions.
#include "math_log.h"

// log2 and log10: f times the factor of the base is carried in two parts, as k cancels part of it.
#define LOGARITHMS(T, I, FMA_LOG2E, FMA_LOG2E_LO, LOG10E, LOG10E_LO, LOG10_2, LOG10_2_LO)          \
  MATH T log(T x) {                                                                                \
    I k;                                                                                           \
    T m = split_log(x, &k);                                                                        \
    return log_special(x, log_sum(m - (T)1, (T)k));                                                \
  }                                                                                                \
  MATH T log2(T x) {                                                                               \
    I k;                                                                                           \
    T f = split_log(x, &k) - (T)1, n = (T)k;                                                       \
    T high = f * FMA_LOG2E;                                                                        \
    T low = FMA(f, FMA_LOG2E, -high) + MAD(f, FMA_LOG2E_LO, log1p_tail(f) * FMA_LOG2E);            \
    T sum = n + high;                                                                              \
    return log_special(x, sum + ((n - sum) + high + low));                                         \
  }                                                                                                \
  MATH T log10(T x) {                                                                              \
    I k;                                                                                           \
    T f = split_log(x, &k) - (T)1, n = (T)k;                                                       \
    T high = f * LOG10E;                                                                           \
    T low = FMA(f, LOG10E, -high) + MAD(f, LOG10E_LO, log1p_tail(f) * LOG10E);                     \
    T whole = n * LOG10_2, sum = whole + high;                                                     \
    low = MAD(n, LOG10_2_LO, (whole - sum) + high + low);                                          \
    return log_special(x, sum + low);                                                              \
  }                                                                                                \
  MATH T log1p(T x) {                                                                              \
    T r = COPYSIGN(log1p_ordinary(x), x);                                                          \
    r = x < (T)INFINITY ? r : x;                                                                   \
    r = x < -1 ? (T)NAN : r;                                                                       \
    return x == -1 ? -(T)INFINITY : r;                                                             \
  }                                                                                                \
  HALF_UNARY_ONCE_##T
#define HALF_UNARY_ONCE_float HALF_UNARY(log) HALF_UNARY(log2) HALF_UNARY(log10) HALF_UNARY(log1p)
#define HALF_UNARY_ONCE_double

LOGARITHMS(float, int, 0x1.715476p+0f, 0x1.4ae0cp-26f, 0x1.bcb7b2p-2f, -0x1.5b235ep-27f,
           0x1.344p-2f, 0x1.3509f8p-18f)
LOGARITHMS(double, long, 0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56, 0x1.bcb7b1526e50ep-2,
           0x1.95355baaafad3p-57, 0x1.34413509f8p-2, -0x1.80433b83b532ap-44)

// Where x^2 hides 1, ln(2 x) is within rounding of the result.
#define INVERSE_HYPERBOLIC(T, HUGE, LN2)                                                           \
  MATH T asinh(T x) {                                                                              \
    T a = ABS(x);                                                                                  \
    bool huge = a > HUGE;                                                                          \
    T u = huge ? a : a + a * a / ((T)1 + SQRT(MAD(a, a, (T)1)));                                   \
    T r = log1p_ordinary(u) + (huge ? LN2 : (T)0);                                                 \
    return COPYSIGN(a < (T)INFINITY ? r : a, x);                                                   \
  }                                                                                                \
  MATH T acosh(T x) {                                                                              \
    bool huge = x > HUGE;                                                                          \
    T t = x - (T)1;                                                                                \
    T u = huge ? x : t + SQRT(MAD(t, t, (T)2 * t));                                                \
    T r = log1p_ordinary(u) + (huge ? LN2 : (T)0);                                                 \
    r = x < (T)INFINITY ? r : x;                                                                   \
    return x < (T)1 ? (T)NAN : r;                                                                  \
  }                                                                                                \
  MATH T atanh(T x) {                                                                              \
    T a = ABS(x);                                                                                  \
    T r = (T)0.5 * log1p_ordinary((T)2 * a / ((T)1 - a));                                          \
    r = a == (T)1 ? (T)INFINITY : r;                                                               \
    r = a < (T)0x1p-30 ? a : r;                                                                    \
    return a > (T)1 || a != a ? (T)NAN : COPYSIGN(r, x);                                           \
  }
INVERSE_HYPERBOLIC(float, 0x1p30f, 0x1.62e43p-1f)
INVERSE_HYPERBOLIC(double, 0x1p60, 0x1.62e42fefa39efp-1)
HALF_UNARY(asinh)
HALF_UNARY(acosh)
HALF_UNARY(atanh)
