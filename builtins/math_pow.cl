// OpenCL C 6.15.2: pow, pown, powr, rootn: 2^(y log2 x), with log2 x and the product in two parts.
#include "math_exp.h"
#include "math_log.h"

// log2 x = *high + *low for x > 0. With s = f / (2 + f), log2(1 + f) = s (2 / ln 2 + s^2 Q(s^2)).
HELPER float log2_parts(float x, float* low) {
  int k;
  float f = split_log(x, &k) - 1.0f, n = (float)k;
  float d = 2.0f + f, d_low = f - (d - 2.0f);
  float inverse = 1.0f / d;
  float s = f * inverse;
  float s_low = MAD(-s, d_low, FMA(-s, d, f)) * inverse;
  float z = s * s;
  float q = POLY4(z, 0x1.ec709ep-1f, 0x1.277748p-1f, 0x1.a5a37ap-2f, 0x1.5b877ep-2f);
  float p = 0x1.715476p+1f * s;
  float rest = MAD(0x1.4ae0cp-25f, s, 0x1.715476p+1f * s_low);
  rest = FMA(0x1.715476p+1f, s, -p) + MAD(s * z, q, rest);
  float sum = n + p;
  rest = (n - sum) + p + rest;
  float high = sum + rest;
  *low = rest - (high - sum);
  return high;
}
HELPER double log2_parts(double x, double* low) {
  long k;
  double f = split_log(x, &k) - 1.0, n = (double)k;
  double d = 2.0 + f, d_low = f - (d - 2.0);
  double inverse = 1.0 / d;
  double s = f * inverse;
  double s_low = MAD(-s, d_low, FMA(-s, d, f)) * inverse;
  double z = s * s, z_low = MAD(2.0 * s, s_low, FMA(s, s, -z));
  double t = z * POLY8(z, 0x1.2776c50ef9bfep-1, 0x1.a61762a7ae67fp-2, 0x1.484b13d70e1f2p-2,
                       0x1.0c9a8511db605p-2, 0x1.c68efcf467475p-3, 0x1.8a070f15d69d4p-3,
                       0x1.592e02fdb5219p-3, 0x1.60785e8a3cc2bp-3);
  double u = 0x1.ec709dc3a03fdp-1 + t;
  double u_low = (0x1.ec709dc3a03fdp-1 - u) + t + 0x1.d27f05548af0cp-55;
  double v = z * u, v_low = FMA(z, u, -v) + MAD(z, u_low, z_low * u);
  double w = 0x1.71547652b82fep+1 + v;
  double w_low = (0x1.71547652b82fep+1 - w) + v + (v_low + 0x1.777d0ffda0d24p-55);
  double p = s * w;
  double rest = FMA(s, w, -p) + MAD(s, w_low, s_low * w);
  double sum = n + p;
  rest = (n - sum) + p + rest;
  double high = sum + rest;
  *low = rest - (high - sum);
  return high;
}

// a^(y + y_low) for a >= 0 and y that is no NaN; 1 where a is 1.
#define POWER(T, I, LARGE, SHIFTER)                                                                \
  HELPER T power(T a, T y, T y_low) {                                                              \
    T log_low, log_high = log2_parts(a, &log_low);                                                 \
    T e = y * log_high;                                                                            \
    T e_low = FMA(y, log_high, -e) + MAD(y, log_low, y_low * log_high);                            \
    bool outside = !(ABS(e) < LARGE);                                                              \
    e = outside ? COPYSIGN(LARGE, e) : e;                                                          \
    e_low = outside ? (T)0 : e_low;                                                                \
    T t = e + SHIFTER;                                                                             \
    T r = (e - (t - SHIFTER)) + e_low;                                                             \
    T v = scale_twice(MAD(r, exp2_tail(r), (T)1), as_##I(t) - as_##I(SHIFTER));                    \
    v = a == 0 ? (y < 0 ? (T)INFINITY : (T)0) : v;                                                 \
    v = a == (T)INFINITY ? (y < 0 ? (T)0 : (T)INFINITY) : v;                                       \
    return a == (T)1 ? (T)1 : v;                                                                   \
  }                                                                                                \
  MATH T pow(T x, T y) {                                                                           \
    T half_y = (T)0.5 * y;                                                                         \
    bool whole = TRUNC(y) == y, odd = whole && TRUNC(half_y) != half_y;                            \
    T v = power(ABS(x), y, (T)0);                                                                  \
    v = odd ? COPYSIGN(v, x) : v;                                                                  \
    v = x < 0 && !whole && x > -(T)INFINITY ? (T)NAN : v;                                          \
    v = x != x || y != y ? (T)NAN : v;                                                             \
    return y == 0 || x == (T)1 ? (T)1 : v;                                                         \
  }                                                                                                \
  MATH T powr(T x, T y) {                                                                          \
    bool undefined = y == 0 ? x == 0 || x == (T)INFINITY : x == (T)1 && ABS(y) == (T)INFINITY;     \
    T v = power(ABS(x), y, (T)0);                                                                  \
    v = y == 0 ? (T)1 : v;                                                                         \
    return x < 0 || x != x || y != y || undefined ? (T)NAN : v;                                    \
  }                                                                                                \
  MATH T pown(T x, int n) {                                                                        \
    T y = (T)n, y_low = (T)((long)n - (long)y);                                                    \
    T v = power(ABS(x), y, y_low);                                                                 \
    v = n & 1 ? COPYSIGN(v, x) : v;                                                                \
    v = x != x ? x : v;                                                                            \
    return n == 0 ? (T)1 : v;                                                                      \
  }                                                                                                \
  MATH T rootn(T x, int n) {                                                                       \
    T d = (T)n, y = (T)1 / d;                                                                      \
    T v = power(ABS(x), y, FMA(-y, d, (T)1) / d);                                                  \
    v = n & 1 ? COPYSIGN(v, x) : v;                                                                \
    return n == 0 || x != x || (x < 0 && !(n & 1)) ? (T)NAN : v;                                   \
  }
POWER(float, int, 250.0f, SHIFTER_F)
POWER(double, long, 2000.0, SHIFTER_D)
HALF_BINARY(pow)
HALF_BINARY(powr)
MATH half pown(half x, int n) { return (half)pown((float)x, n); }
MATH half rootn(half x, int n) { return (half)rootn((float)x, n); }
