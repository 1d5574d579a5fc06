// OpenCL C 6.15.2, the half_ and native_ functions: float only. The half_ functions are the full
// ones. The native_ functions leave out what is for angles above 2^17 and
// digits of powers.
#include "math_log.h"
#include "math_trig.h"

#define HALF_PRECISION(name)                                                                       \
  MATH float half_##name(float x) { return name(x); }
HALF_PRECISION(cos)
HALF_PRECISION(exp)
HALF_PRECISION(exp2)
HALF_PRECISION(exp10)
HALF_PRECISION(log)
HALF_PRECISION(log2)
HALF_PRECISION(log10)
HALF_PRECISION(rsqrt)
HALF_PRECISION(sin)
HALF_PRECISION(sqrt)
HALF_PRECISION(tan)
MATH float half_divide(float x, float y) { return x / y; }
MATH float half_recip(float x) { return 1.0f / x; }
MATH float half_powr(float x, float y) { return powr(x, y); }

MATH float native_sqrt(float x) { return SQRT(x); }
MATH float native_rsqrt(float x) { return rsqrt(x); }
MATH float native_divide(float x, float y) { return x / y; }
MATH float native_recip(float x) { return 1.0f / x; }

MATH float native_exp2(float x) { return exp2(x); }
MATH float native_exp(float x) { return exp2(x * 0x1.715476p+0f); }
MATH float native_exp10(float x) { return exp2(x * 0x1.a934fp+1f); }
MATH float native_log(float x) { return log(x); }
MATH float native_log2(float x) { return log2(x); }
MATH float native_log10(float x) { return log10(x); }
MATH float native_powr(float x, float y) { return native_exp2(y * native_log2(x)); }

MATH float native_sin(float x) {
  int q;
  float r = reduce_near(x, &q);
  float v = q & 1 ? cos_reduced(r) : sin_reduced(r);
  return q & 2 ? -v : v;
}
MATH float native_cos(float x) {
  int q;
  float r = reduce_near(x, &q);
  float v = q & 1 ? sin_reduced(r) : cos_reduced(r);
  return (q + 1) & 2 ? -v : v;
}
MATH float native_tan(float x) {
  int q;
  float r = reduce_near(x, &q);
  float s = sin_reduced(r), c = cos_reduced(r);
  return (q & 1 ? -c : s) / (q & 1 ? s : c);
}
