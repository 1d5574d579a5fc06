// OpenCL C 6.15.2: pow, pown, powr, rootn: 2^(y log2 x), with log2 x and the product in two parts.
#include "math_exp.h"
#include "math_log.h"

// log2 x and, in *low, the rest of it for x > 0; infinite, and the rest NaN, for 0 and inf. ln(1 +
// f) is f - f^2 / 2, in two parts, and f^3 times a polynomial.
HELPER float log2_parts(float x, float* low) {
  float n, f = split_whole(x, &n);
  float square = f * f, square_low = FMA(f, f, -square);
  float s = FMA(-0.5f, square, f);
  float t = FMA(-0.5f, square_low, FMA(-0.5f, square, f - s));
  t = MAD(f * square,
          POLY9(f, 0x1.555558p-2f, -0x1.00007p-2f, 0x1.9998d6p-3f, -0x1.551b28p-3f, 0x1.24416cp-3f,
                -0x1.04641cp-3f, 0x1.e0c69cp-4f, -0x1.7b35d8p-4f, 0x1.3e3d74p-5f),
          t);
  float p = 0x1.715476p+0f * s;
  float rest = MAD(0x1.4ae0cp-26f, s, FMA(0x1.715476p+0f, s, -p));
  rest = MAD(0x1.715476p+0f, t, rest);
  float sum = n + p;
  *low = (n - sum) + p + rest;
  return sum;
}
// With s = f / (2 + f), log2(1 + f) = s (2 / ln 2 + s^2 Q(s^2)).
HELPER double log2_parts(double x, double* low) {
  double n, f = split_whole(x, &n);
  double d = 2.0 + f, d_low = f - (d - 2.0);
  double inverse = 1.0 / d;
  double s = f * inverse;
  double s_low = MAD(-s, d_low, FMA(-s, d, f)) * inverse;
  double z = s * s, z_low = MAD(2.0 * s, s_low, FMA(s, s, -z));
  double u = POLY9(z, 0x1.ec709dc3a03fdp-1, 0x1.2776c50ef9befp-1, 0x1.a61762a7b3799p-2,
                   0x1.484b13d25cf7ep-2, 0x1.0c9a8723cb203p-2, 0x1.c68dffce3b27ap-3,
                   0x1.8a28b90efcce1p-3, 0x1.56d49f9cfe7f5p-3, 0x1.71aaed5c5ae26p-3);
  double v = z * u, v_low = MAD(z_low, u, FMA(z, u, -v));
  double w = 0x1.71547652b82fep+1 + v;
  double w_low = (0x1.71547652b82fep+1 - w) + v + (v_low + 0x1.777d0ffda0d24p-55);
  double p = s * w;
  double rest = FMA(s, w, -p) + MAD(s, w_low, s_low * w);
  double sum = n + p;
  *low = (n - sum) + p + rest;
  return sum;
}

// a^(y + y_low) for a >= 0, NaN where one is not finite and the exponent's product undefined.
#define POWER(T, U, LARGE)                                                                         \
  HELPER T power(T a, T y, T y_low) {                                                              \
    T log_low, log_high = log2_parts(a, &log_low);                                                 \
    T e = y * log_high;                                                                            \
    T e_low = FMA(y, log_high, -e) + MAD(y, log_low, y_low * log_high);                            \
    e_low = ABS(e) < LARGE ? e_low : (T)0;                                                         \
    e = limit(e, -LARGE, LARGE);                                                                   \
    T n = RINT(e + e_low);                                                                         \
    T r = (e - n) + e_low;                                                                         \
    return scale_step(MAD(r, exp2_tail(r), (T)1), n);                                              \
  }                                                                                                \
  /* Whether x is positive and finite and y finite: everything else is rare. */                    \
  HELPER bool is_ordinary(T x, T y) {                                                              \
    const U infinity = as_##U((T)INFINITY);                                                        \
    return (as_##U(x) - 1 < infinity - 1) & (as_##U(ABS(y)) < infinity);                           \
  }                                                                                                \
  /* pow and powr elsewhere; v is |x|^y. */                                                        \
  HELPER T special_power(T x, T y, T v) {                                                          \
    T half_y = (T)0.5 * y;                                                                         \
    bool whole = TRUNC(y) == y, odd = whole && TRUNC(half_y) != half_y;                            \
    v = odd ? COPYSIGN(v, x) : v;                                                                  \
    v = x < 0 && !whole && x > -(T)INFINITY ? (T)NAN : v;                                          \
    v = x == -(T)1 && ABS(y) == (T)INFINITY ? (T)1 : v;                                            \
    v = x != x || y != y ? (T)NAN : v;                                                             \
    return y == 0 || x == (T)1 ? (T)1 : v;                                                         \
  }                                                                                                \
  HELPER T special_root_power(T x, T y, T v) {                                                     \
    bool undefined = y == 0 ? x == 0 || x == (T)INFINITY : x == (T)1;                              \
    return x < 0 || x != x || y != y || undefined ? (T)NAN : v;                                    \
  }                                                                                                \
  MATH T pow(T x, T y) {                                                                           \
    T v = power(ABS(x), y, (T)0);                                                                  \
    if (!is_ordinary(x, y))                                                                        \
      v = special_power(x, y, v);                                                                  \
    return v;                                                                                      \
  }                                                                                                \
  MATH T powr(T x, T y) {                                                                          \
    T v = power(ABS(x), y, (T)0);                                                                  \
    if (!is_ordinary(x, y))                                                                        \
      v = special_root_power(x, y, v);                                                             \
    return v;                                                                                      \
  }                                                                                                \
  /* x^n for |n| <= 8: up to 7 roundings, and 8 times the reciprocal's one. */                     \
  HELPER T small_power(T x, int n) {                                                               \
    T b = n < 0 ? (T)1 / x : x;                                                                    \
    int m = n < 0 ? -n : n;                                                                        \
    T b2 = b * b, b4 = b2 * b2;                                                                    \
    T v = (m & 1 ? b : (T)1) * (m & 2 ? b2 : (T)1) * (m & 4 ? b4 : (T)1);                          \
    return m == 8 ? b4 * b4 : v;                                                                   \
  }                                                                                                \
  MATH T pown(T x, int n) {                                                                        \
    if (n + 8u <= 16u)                                                                             \
      return small_power(x, n);                                                                    \
    T y = (T)n, y_low = (T)((long)n - (long)y);                                                    \
    T v = power(ABS(x), y, y_low);                                                                 \
    v = n & 1 ? COPYSIGN(v, x) : v;                                                                \
    return x != x ? x : v;                                                                         \
  }                                                                                                \
  MATH T rootn(T x, int n) {                                                                       \
    T d = (T)n, y = (T)1 / d;                                                                      \
    T v = power(ABS(x), y, FMA(-y, d, (T)1) / d);                                                  \
    v = n & 1 ? COPYSIGN(v, x) : v;                                                                \
    return n == 0 || x != x || (x < 0 && !(n & 1)) ? (T)NAN : v;                                   \
  }
POWER(float, uint, 250.0f)
POWER(double, ulong, 2000.0)
HALF_BINARY(pow)
HALF_BINARY(powr)
MATH half pown(half x, int n) { return (half)pown((float)x, n); }
MATH half rootn(half x, int n) { return (half)rootn((float)x, n); }
