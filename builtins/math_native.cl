// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenCL C 6.15.2, the half_ and native_ functions: float only. The half_ functions need 11 bits
// and angles below 2^16 (OpenCL C 7.4); functions that would not be faster with less precision keep
// it. The native_ functions have 16 bits or more for arguments and results of ordinary size;
// reciprocals and reciprocal square roots have the 14 bits of the instruction where there is one.
#include "math_log.h"
#include "math_trig.h"

MATH float half_divide(float x, float y) { return x / y; }
MATH float half_recip(float x) { return 1.0f / x; }
MATH float half_rsqrt(float x) { return has_pick_step() ? rsqrt_step(x) : rsqrt(x); }
// Of 1 / sqrt(x), clamped to exclude 0 and infinity, which it is if sqrt(x) is infinity or zero.
HELPER float finite_rsqrt_step(float x) {
  float r = rsqrt_step(x);
  r = r > 0x1p100f ? 0x1p100f : r;
  return r < 0x1p-100f ? 0x1p-100f : r;
}
MATH float half_sqrt(float x) { return has_pick_step() ? x * finite_rsqrt_step(x) : SQRT(x); }

MATH float half_exp2(float x) { return exp2(x); }
MATH float half_exp(float x) { return exp2(x * 0x1.715476p+0f); }
MATH float half_exp10(float x) { return exp2(x * 0x1.a934fp+1f); }
HELPER float short_log2(float x, float factor) {
  float k, f = split_whole(x, &k);
  float q =
      POLY5(f, 0x1.714f9cp+0f, -0x1.7150c6p-1f, 0x1.f4103cp-2f, -0x1.7d0c8p-2f, 0x1.980b7cp-3f);
  return MAD(f, q, k) * factor;
}
MATH float half_log2(float x) { return short_log2(x, 1.0f); }
MATH float half_log(float x) { return short_log2(x, 0x1.62e43p-1f); }
MATH float half_log10(float x) { return short_log2(x, 0x1.344136p-2f); }
MATH float half_powr(float x, float y) { return exp2(y * log2(x)); }

// x = (turns - shift) pi + r in two steps; both parts of pi are positive, so that -0 is preserved.
// For larger angles the result only has to be a valid sine.
HELPER float reduce_half_short(float x, bool shifted, uint* turns) {
  float t = shifted ? MAD(x, 0x1.45f306p-2f, 0.5f) + SHIFTER_F : MAD(x, 0x1.45f306p-2f, SHIFTER_F);
  *turns = as_uint(t);
  t -= SHIFTER_F;
  t = shifted ? t - 0.5f : t;
  return limit(FMA(-t, 0x1.4442dp-23f, FMA(-t, 0x1.921fb4p+1f, x)), -2.0f, 2.0f);
}
HELPER float short_sin(float r, uint turns) {
  float z = r * r;
  float v = MAD(r * z, POLY3(z, -0x1.555106p-3f, 0x1.107012p-7f, -0x1.84c2e6p-13f), r);
  return COPYSIGN(v, as_float(as_uint(r) ^ turns << 31));
}
MATH float half_sin(float x) {
  uint turns;
  float r = reduce_half_short(x, false, &turns);
  return short_sin(r, turns);
}
MATH float half_cos(float x) {
  uint turns;
  float r = reduce_half_short(x, true, &turns);
  return short_sin(r, turns);
}
MATH float half_tan(float x) {
  int q;
  float r = limit(reduce_near(x, &q), -1.0f, 1.0f);
  float below, above = tan_fraction(r, &below);
  return (q & 1 ? -below : above) / (q & 1 ? above : below);
}

// With a step of Newton's method: programs subtract it from numbers of its size (eigenvalues).
MATH float native_sqrt(float x) {
  if (!has_pick_step())
    return SQRT(x);
  float r = finite_rsqrt_step(x), s = x * r;
  return x == INFINITY ? x : FMA(0.5f * r, FMA(-s, s, x), s);
}
MATH float native_rsqrt(float x) { return half_rsqrt(x); }
MATH float native_divide(float x, float y) { return x * reciprocal_step(y); }
MATH float native_recip(float x) { return reciprocal_step(x); }

MATH float native_exp2(float x) { return exp2(x); }
MATH float native_exp(float x) { return half_exp(x); }
MATH float native_exp10(float x) { return half_exp10(x); }
HELPER float fast_log2(float x, float factor) {
  float k, f = split_whole(x, &k);
  float q = POLY7(f, 0x1.71548cp+0f, -0x1.7151ep-1f, 0x1.ec293ep-2f, -0x1.724004p-2f,
                  0x1.317078p-2f, -0x1.f098dp-3f, 0x1.e9e86ep-4f);
  return MAD(f, q, k) * factor;
}
MATH float native_log2(float x) { return fast_log2(x, 1.0f); }
MATH float native_log(float x) { return fast_log2(x, 0x1.62e43p-1f); }
MATH float native_log10(float x) { return fast_log2(x, 0x1.344136p-2f); }
MATH float native_powr(float x, float y) { return half_powr(x, y); }
MATH float native_sin(float x) { return half_sin(x); }
MATH float native_cos(float x) { return half_cos(x); }
MATH float native_tan(float x) { return half_tan(x); }
