// OpenCL C 6.15.2, the half_ and native_ functions: float only. The full functions are fast
// enough to serve; quotients and roots are one instruction.
#include "math_common.h"

#define BOTH(name)                                                                                 \
  MATH float half_##name(float x) { return name(x); }                                              \
  MATH float native_##name(float x) { return name(x); }
BOTH(cos)
BOTH(exp)
BOTH(exp2)
BOTH(exp10)
BOTH(log)
BOTH(log2)
BOTH(log10)
BOTH(rsqrt)
BOTH(sin)
BOTH(sqrt)
BOTH(tan)

MATH float half_divide(float x, float y) { return x / y; }
MATH float native_divide(float x, float y) { return x / y; }
MATH float half_recip(float x) { return 1.0f / x; }
MATH float native_recip(float x) { return 1.0f / x; }
MATH float half_powr(float x, float y) { return powr(x, y); }
MATH float native_powr(float x, float y) { return powr(x, y); }
