// OpenCL C 6.15.2: cbrt and hypot.
#include "math_common.h"

// A third of the exponent gives the root within 4 %. Each turn of Halley's method cubes the error.
// The last step is Newton's with the residue x - y^3 in two parts, so that it is right to rounding.
HELPER float improve_root(float y, float x) {
  float c = y * y * y;
  return y * ((c + 2.0f * x) / MAD(2.0f, c, x));
}
HELPER double improve_root(double y, double x) {
  double c = y * y * y;
  return y * ((c + 2.0 * x) / MAD(2.0, c, x));
}
#define FINISH_ROOT(T)                                                                             \
  HELPER T finish_root(T y, T x) {                                                                 \
    T s = y * y, s_low = FMA(y, y, -s);                                                            \
    T c = s * y, c_low = MAD(s_low, y, FMA(s, y, -c));                                             \
    return y - ((c - x) + c_low) / ((T)3 * s);                                                     \
  }
FINISH_ROOT(float)
FINISH_ROOT(double)

// The powers of two that bring the argument to the middle of the range are cubes.
MATH float cbrt(float x) {
  float a = ABS(x);
  bool small = a < 0x1p-100f, large = a > 0x1p100f;
  float b = small ? a * 0x1p60f : large ? a * 0x1p-60f : a;
  float y = as_float(as_uint(b) / 3 + 0x2a5137a0);
  y = finish_root(improve_root(y, b), b);
  y = small ? y * 0x1p-20f : large ? y * 0x1p20f : y;
  return a > 0 && a < INF_F ? COPYSIGN(y, x) : x;
}
MATH double cbrt(double x) {
  double a = ABS(x);
  bool small = a < 0x1p-900, large = a > 0x1p900;
  double b = small ? a * 0x1p600 : large ? a * 0x1p-600 : a;
  double y = as_double(((as_ulong(b) >> 32) / 3 + 0x2a9f7893) << 32);
  y = finish_root(improve_root(improve_root(y, b), b), b);
  y = small ? y * 0x1p-200 : large ? y * 0x1p200 : y;
  return a > 0 && a < INF_D ? COPYSIGN(y, x) : x;
}
HALF_UNARY(cbrt)

// Both are scaled so that no square overflows and none that matters underflows.
#define HYPOT(T, LARGE, SMALL, DOWN, UP)                                                           \
  MATH T hypot(T x, T y) {                                                                         \
    T a = ABS(x), b = ABS(y);                                                                      \
    T most = a > b ? a : b;                                                                        \
    bool large = most > LARGE, small = most < SMALL;                                               \
    T scale = large ? DOWN : small ? UP : (T)1;                                                    \
    T back = large ? UP : small ? DOWN : (T)1;                                                     \
    T u = a * scale, v = b * scale;                                                                \
    T r = SQRT(MAD(u, u, v * v)) * back;                                                           \
    return a == (T)INFINITY || b == (T)INFINITY ? (T)INFINITY : r;                                 \
  }
HYPOT(float, 0x1p60f, 0x1p-40f, 0x1p-90f, 0x1p90f)
HYPOT(double, 0x1p500, 0x1p-400, 0x1p-700, 0x1p700)
HALF_BINARY(hypot)
