// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer dot products (cl_khr_integer_dot_product, core in OpenCL C 3.1), of vectors and of four
// bytes packed in a uint.
#include "builtins.h"

#define DOT(R, A, B)                                                                               \
  OVERLOAD R dot(A##4 a, B##4 b) {                                                                 \
    return (R)a.x * (R)b.x + (R)a.y * (R)b.y + (R)a.z * (R)b.z + (R)a.w * (R)b.w;                  \
  }                                                                                                \
  OVERLOAD R dot_acc_sat(A##4 a, B##4 b, R c) {                                                    \
    return __builtin_elementwise_add_sat(dot(a, b), c);                                            \
  }
DOT(uint, uchar, uchar)
DOT(int, char, char)
DOT(int, uchar, char)
DOT(int, char, uchar)

#define DOT_PACKED(SUFFIX, R, A, B)                                                                \
  OVERLOAD R dot_4x8packed_##SUFFIX(uint a, uint b) { return dot(as_##A##4(a), as_##B##4(b)); }    \
  OVERLOAD R dot_acc_sat_4x8packed_##SUFFIX(uint a, uint b, R c) {                                 \
    return dot_acc_sat(as_##A##4(a), as_##B##4(b), c);                                             \
  }
DOT_PACKED(uu_uint, uint, uchar, uchar)
DOT_PACKED(ss_int, int, char, char)
DOT_PACKED(us_int, int, uchar, char)
DOT_PACKED(su_int, int, char, uchar)
