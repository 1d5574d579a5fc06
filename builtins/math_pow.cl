// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenCL C 6.15.2: pow, pown, powr, rootn: 2^(y log2 x), with log2 x and the product in two parts.
#include "math_exp.h"
#include "math_log.h"

// log2 x and, in *low, its remainder, for x > 0; infinite with a NaN remainder for 0 and inf. x is
// 2^n (1 + f) or 2^n (1 + f) 4 / 3 with f in [-1/4, 1/5], and ln(1 + f) is f - f^2 / 2, in two
// parts, and f^3 times a polynomial.
HELPER float log2_parts_alone(float x, float* low) {
  float n, f = split_whole(x, &n);
  bool upper = f > 0.2f;
  f = upper ? FMA(0.75f, f, -0.25f) : f;
  float whole = n + (upper ? 0x1.a9p-2f : 0.0f), whole_low = upper ? -0x1.a39fbep-20f : 0.0f;
  float square = f * f, square_low = FMA(f, f, -square);
  float s = FMA(-0.5f, square, f);
  float t = FMA(-0.5f, square_low, FMA(-0.5f, square, f - s));
  t = MAD(f * square,
          POLY7(f, 0x1.55553cp-2f, -0x1.000082p-2f, 0x1.99ba18p-3f, -0x1.54ddbcp-3f, 0x1.1ec242p-3f,
                -0x1.1180bp-3f, 0x1.392d02p-3f),
          t);
  float p = 0x1.715476p+0f * s;
  float rest = MAD(0x1.4ae0cp-26f, s, FMA(0x1.715476p+0f, s, -p));
  rest = MAD(0x1.715476p+0f, t, rest + whole_low);
  float sum = whole + p;
  *low = (whole - sum) + p + rest;
  return sum;
}
// The same with s = f / (2 + f): log2(1 + f) = s (2 / ln 2 + s^2 Q(s^2)).
HELPER double log2_parts_alone(double x, double* low) {
  double n, f = split_whole(x, &n);
  bool upper = f > 0.2;
  f = upper ? FMA(0.75, f, -0.25) : f;
  double whole = n + (upper ? 0x1.a8ff971811p-2 : 0.0);
  double whole_low = upper ? -0x1.6879fa00b120ap-44 : 0.0;
  double d = 2.0 + f, d_low = f - (d - 2.0);
  double inverse = 1.0 / d;
  double s = f * inverse;
  double s_low = MAD(-s, d_low, FMA(-s, d, f)) * inverse;
  double z = s * s, z_low = MAD(2.0 * s, s_low, FMA(s, s, -z));
  double u =
      POLY7(z, 0x1.ec709dc3a03fep-1, 0x1.2776c50ef9662p-1, 0x1.a61762a9d101ep-2,
            0x1.484b1166d378bp-2, 0x1.0c9bd822151fep-2, 0x1.c5d26a8826b9ep-3, 0x1.a3d8b3eb23f89p-3);
  double v = z * u, v_low = MAD(z_low, u, FMA(z, u, -v));
  double w = 0x1.71547652b82fep+1 + v;
  double w_low = (0x1.71547652b82fep+1 - w) + v + (v_low + 0x1.777d0ffda0d24p-55);
  double p = s * w;
  double rest = FMA(s, w, -p) + MAD(s, w_low, MAD(s_low, w, whole_low));
  double sum = whole + p;
  *low = (whole - sum) + p + rest;
  return sum;
}

// Tables indexed by the highest four bits of a significand m in [1, 2): c, with few enough bits
// that m c - 1 is exact, and within 1 / 16 (c = 1 or 1 / 2 next to 1 and 2); and -log2 c in two
// parts, the first with few enough bits to be added to an exponent exactly.
static __constant float kInverse32[] = {
    0x1p+0f,   0x1.dp-1f, 0x1.cp-1f,  0x1.ap-1f,  0x1.9p-1f, 0x1.8p-1f,  0x1.7p-1f, 0x1.6p-1f,
    0x1.5p-1f, 0x1.4p-1f, 0x1.38p-1f, 0x1.28p-1f, 0x1.2p-1f, 0x1.18p-1f, 0x1.1p-1f, 0x1p-1f};
static __constant float kLogHigh32[] = {0x0p+0f,      0x1.22d8p-3f, 0x1.8a88p-3f, 0x1.32cp-2f,
                                        0x1.6cbp-2f,  0x1.a9p-2f,   0x1.e7ep-2f,  0x1.14c6p-1f,
                                        0x1.3722p-1f, 0x1.5b2cp-1f, 0x1.6dep-1f,  0x1.94c2p-1f,
                                        0x1.a9p-1f,   0x1.bdcep-1f, 0x1.d338p-1f, 0x1p+0f};
static __constant float kLogLow32[] = {
    0x0p+0f,          0x1.6e155ap-18f,  0x1.80abfcp-19f,  -0x1.1c8f12p-22f,
    0x1.ed0cbap-19f,  -0x1.a39fbep-20f, -0x1.40358ep-19f, -0x1.3e032ep-18f,
    0x1.5db83ap-20f,  0x1.ed0cbap-20f,  -0x1.eac382p-20f, 0x1.0e9258p-18f,
    -0x1.a39fbep-19f, 0x1.3b992cp-18f,  0x1.20a6dep-21f,  0x0p+0f};
static __constant double kInverse64[] = {
    0x1p+0,   0x1.dp-1, 0x1.cp-1,  0x1.ap-1,  0x1.9p-1, 0x1.8p-1,  0x1.7p-1, 0x1.6p-1,
    0x1.5p-1, 0x1.4p-1, 0x1.38p-1, 0x1.28p-1, 0x1.2p-1, 0x1.18p-1, 0x1.1p-1, 0x1p-1};
static __constant double kLogHigh64[] = {0x0p+0,
                                         0x1.22dadc2ab4p-3,
                                         0x1.8a8980abfcp-3,
                                         0x1.32bfee370fp-2,
                                         0x1.6cb0f6865dp-2,
                                         0x1.a8ff971811p-2,
                                         0x1.e7df5fe539p-2,
                                         0x1.14c560fe688p-1,
                                         0x1.37222bb7078p-1,
                                         0x1.5b2c3da197p-1,
                                         0x1.6ddfc2a79p-1,
                                         0x1.94c287492c8p-1,
                                         0x1.a8ff9718108p-1,
                                         0x1.bdce9dcc96p-1,
                                         0x1.d338120a6ep-1,
                                         0x1p+0};
static __constant double kLogLow64[] = {0x0p+0,
                                        -0x1.6d25a5b8a19b2p-44,
                                        -0x1.66cccab240e9p-46,
                                        -0x1.979a5db68721dp-46,
                                        -0x1.c57f2495fb7fap-44,
                                        -0x1.6879fa00b120ap-44,
                                        -0x1.532c412ba94dbp-44,
                                        0x1.7c407050799bfp-44,
                                        -0x1.c22d2cad415aep-44,
                                        0x1.1d406db502403p-44,
                                        -0x1.ce60916e52e91p-44,
                                        -0x1.927dfc23d978p-44,
                                        0x1.2f0c0bfe9dbecp-44,
                                        0x1.871a7610e40bdp-45,
                                        -0x1.3167ccc538261p-44,
                                        0x0p+0};

// The same with tables: log2 x = n - log2 c + log2(1 + r) with r = m c - 1.
#define LOG2_PARTS(T, U, BITS, SHIFT, TAIL, INVERSE_LN2, INVERSE_LN2_LOW)                          \
  HELPER T log2_parts(T x, T* low) {                                                               \
    if (!has_pick_step())                                                                          \
      return log2_parts_alone(x, low);                                                             \
    T m = significand_step(x), n = exponent_step(x);                                               \
    U i = as_##U(m) >> SHIFT;                                                                      \
    T r = FMA(m, pick_step(i, kInverse##BITS), (T)-1);                                             \
    T square = r * r, square_low = FMA(r, r, -square);                                             \
    T s = FMA((T)-0.5, square, r);                                                                 \
    /* What s leaves out, of which the first part is exact. */                                     \
    T t = FMA((T)-0.5, square, r - s);                                                             \
    T u = MAD(r * square, TAIL(r, square), (T)-0.5 * square_low);                                  \
    T p = INVERSE_LN2 * s;                                                                         \
    T rest = MAD(INVERSE_LN2_LOW, s, FMA(INVERSE_LN2, s, -p));                                     \
    rest = MAD(INVERSE_LN2, t + u, rest + pick_step(i, kLogLow##BITS));                            \
    T whole = n + pick_step(i, kLogHigh##BITS), sum = whole + p;                                   \
    *low = (whole - sum) + p + rest;                                                               \
    return sum;                                                                                    \
  }
// (ln(1 + r) - r + r^2 / 2) / r^3 for r in [-0.038, 0.063].
#define LOG_TAIL_32(r, square)                                                                     \
  MAD(r, POLY2(square, -0x1.0002fp-2f, -0x1.443e3cp-3f),                                           \
      POLY2(square, 0x1.55555p-2f, 0x1.99ff4ep-3f))
#define LOG_TAIL_64(r, square)                                                                     \
  MAD(r,                                                                                           \
      POLY4(square, -0x1.0000000000cc2p-2, -0x1.5555553d8bc1bp-3, -0x1.000057e72b63ap-3,           \
            -0x1.9953d00e2701cp-4),                                                                \
      POLY5(square, 0x1.5555555555545p-2, 0x1.99999999f1659p-3, 0x1.249245728f7aap-3,              \
            0x1.c73a21a45c236p-4, 0x1.4d151a770d476p-4))
LOG2_PARTS(float, uint, 32, 19, LOG_TAIL_32, 0x1.715476p+0f, 0x1.4ae0cp-26f)
LOG2_PARTS(double, ulong, 64, 48, LOG_TAIL_64, 0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56)

// a^(y + y_low) for a >= 0; NaN if one of them is not finite and the product with the logarithm is
// undefined. The low part of the product is at most 2 unless the result is 0 or infinite.
#define POWER(T, U, SIXTEENTHS)                                                                    \
  HELPER T power_of_two(T e, T e_low) {                                                            \
    if (has_pick_step()) {                                                                         \
      e_low = within_step(e_low, (T)4);                                                            \
      T sum = (e + e_low) + SIXTEENTHS, n = sum - SIXTEENTHS;                                      \
      T r = within_step((e - n) + e_low, (T)1);                                                    \
      return scale_step(exp_from_table(sum, r, exp2_quotient(r)), n);                              \
    }                                                                                              \
    /* In this form NaN becomes a limit, too. */                                                   \
    e_low = e_low > (T)-4 ? e_low : (T)-4;                                                         \
    e_low = e_low < (T)4 ? e_low : (T)4;                                                           \
    T n = RINT(e + e_low);                                                                         \
    T r = (e - n) + e_low;                                                                         \
    return scale_near(MAD(r, exp2_tail(r), (T)1), n);                                              \
  }                                                                                                \
  HELPER T power(T a, T y) {                                                                       \
    T log_low, log_high = log2_parts(a, &log_low);                                                 \
    T e = y * log_high;                                                                            \
    return power_of_two(e, MAD(y, log_low, FMA(y, log_high, -e)));                                 \
  }                                                                                                \
  HELPER T power(T a, T y, T y_low) {                                                              \
    T log_low, log_high = log2_parts(a, &log_low);                                                 \
    T e = y * log_high;                                                                            \
    return power_of_two(e, MAD(y_low, log_high, MAD(y, log_low, FMA(y, log_high, -e))));           \
  }                                                                                                \
  /* Whether x is positive and the result a number: everything else is rare. */                    \
  HELPER bool is_ordinary(T x, T v) { return (x > 0) & (v == v); }                                 \
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
    T v = power(ABS(x), y);                                                                        \
    if (RARELY(!is_ordinary(x, v)))                                                                \
      v = special_power(x, y, v);                                                                  \
    return v;                                                                                      \
  }                                                                                                \
  MATH T powr(T x, T y) {                                                                          \
    T v = power(ABS(x), y);                                                                        \
    if (RARELY(!is_ordinary(x, v)))                                                                \
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
POWER(float, uint, SIXTEENTHS_F)
POWER(double, ulong, SIXTEENTHS_D)
HALF_BINARY(pow)
HALF_BINARY(powr)
MATH half pown(half x, int n) { return (half)pown((float)x, n); }
MATH half rootn(half x, int n) { return (half)rootn((float)x, n); }
