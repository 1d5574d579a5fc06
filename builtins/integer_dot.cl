// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer dot products (cl_khr_integer_dot_product, core in OpenCL C 3.1), of vectors and of four
// bytes packed in a uint.
#include "builtins.h"
#include "math_machine.h"

// CPUs have an instruction for unsigned bytes by signed ones, two for bytes of one kind, or all.
// Others become theirs by a flipped top bit, which adds 128 to signed bytes and takes 128 from
// unsigned ones.
#define TOPS 0x80808080u
HELPER bool has_any_dot_step(void) { return has_dot_step() || has_alike_dot_step(); }
HELPER int us_step(uint a, uint b) {
  if (has_dot_step())
    return dot_step(0, a, b);
  return dot_ss_step(0, a ^ TOPS, b) - dot_ss_step(0, TOPS, b);
}
HELPER int su_step(uint a, uint b) { return us_step(b, a); }
HELPER int ss_step(uint a, uint b) {
  if (has_alike_dot_step())
    return dot_ss_step(0, a, b);
  return dot_step(0, a ^ TOPS, b) - dot_step(0, TOPS, b);
}
HELPER uint uu_step(uint a, uint b) {
  if (has_alike_dot_step())
    return (uint)dot_uu_step(0, a, b);
  return (uint)(dot_step(0, a, b ^ TOPS) - dot_step(0, a, TOPS));
}
HELPER int us_sat_step(uint a, uint b, int c) {
  if (has_dot_step())
    return dot_sat_step(c, a, b);
  return __builtin_elementwise_add_sat(us_step(a, b), c);
}
HELPER int su_sat_step(uint a, uint b, int c) { return us_sat_step(b, a, c); }
HELPER int ss_sat_step(uint a, uint b, int c) {
  return __builtin_elementwise_add_sat(ss_step(a, b), c);
}
HELPER uint uu_sat_step(uint a, uint b, uint c) {
  return __builtin_elementwise_add_sat(uu_step(a, b), c);
}

#define DOT(KINDS, R, A, B)                                                                        \
  OVERLOAD R dot(A##4 a, B##4 b) {                                                                 \
    if (has_any_dot_step())                                                                        \
      return KINDS##_step(as_uint(a), as_uint(b));                                                 \
    return (R)a.x * (R)b.x + (R)a.y * (R)b.y + (R)a.z * (R)b.z + (R)a.w * (R)b.w;                  \
  }                                                                                                \
  OVERLOAD R dot_acc_sat(A##4 a, B##4 b, R c) {                                                    \
    if (has_any_dot_step())                                                                        \
      return KINDS##_sat_step(as_uint(a), as_uint(b), c);                                          \
    return __builtin_elementwise_add_sat(dot(a, b), c);                                            \
  }                                                                                                \
  OVERLOAD R dot_4x8packed_##KINDS##_##R(uint a, uint b) {                                         \
    return dot(as_##A##4(a), as_##B##4(b));                                                        \
  }                                                                                                \
  OVERLOAD R dot_acc_sat_4x8packed_##KINDS##_##R(uint a, uint b, R c) {                            \
    return dot_acc_sat(as_##A##4(a), as_##B##4(b), c);                                             \
  }
DOT(uu, uint, uchar, uchar)
DOT(ss, int, char, char)
DOT(us, int, uchar, char)
DOT(su, int, char, uchar)
