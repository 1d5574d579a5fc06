// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Macros shared by the OpenCL C builtin library.
//
// The library is compiled with the full opencl-c.h, so every definition is checked against the
// declaration that kernels use.
#ifndef HEDDLE_BUILTINS_H
#define HEDDLE_BUILTINS_H

#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

#define OVERLOAD __attribute__((overloadable))
#define HELPER static inline __attribute__((always_inline, overloadable))
#define UNROLL _Pragma("unroll")

// F(type, unsigned type of the same width, bits)
#define FOR_SIGNED(F) F(char, uchar, 8) F(short, ushort, 16) F(int, uint, 32) F(long, ulong, 64)
#define FOR_UNSIGNED(F)                                                                            \
  F(uchar, uchar, 8) F(ushort, ushort, 16) F(uint, uint, 32) F(ulong, ulong, 64)
#define FOR_INTEGERS(F) FOR_SIGNED(F) FOR_UNSIGNED(F)

// F(type)
#define FOR_FLOATS(F) F(float) F(double) F(half)

// F(suffix) for each vector width
#define FOR_WIDTHS(F, ...)                                                                         \
  F(2, __VA_ARGS__) F(3, __VA_ARGS__) F(4, __VA_ARGS__) F(8, __VA_ARGS__) F(16, __VA_ARGS__)

// The list of G(component) for the components of v.
#define EACH_2(G, ...) G(s0, __VA_ARGS__), G(s1, __VA_ARGS__)
#define EACH_3(G, ...) EACH_2(G, __VA_ARGS__), G(s2, __VA_ARGS__)
#define EACH_4(G, ...) EACH_3(G, __VA_ARGS__), G(s3, __VA_ARGS__)
#define EACH_8(G, ...)                                                                             \
  EACH_4(G, __VA_ARGS__), G(s4, __VA_ARGS__), G(s5, __VA_ARGS__), G(s6, __VA_ARGS__),              \
      G(s7, __VA_ARGS__)
#define EACH_16(G, ...)                                                                            \
  EACH_8(G, __VA_ARGS__), G(s8, __VA_ARGS__), G(s9, __VA_ARGS__), G(sa, __VA_ARGS__),              \
      G(sb, __VA_ARGS__), G(sc, __VA_ARGS__), G(sd, __VA_ARGS__), G(se, __VA_ARGS__),              \
      G(sf, __VA_ARGS__)

// Reduces the components of v with the associative G(a, b).
#define FOLD_2(G, v) G((v).s0, (v).s1)
#define FOLD_3(G, v) G(FOLD_2(G, v), (v).s2)
#define FOLD_4(G, v) G(G((v).s0, (v).s2), G((v).s1, (v).s3))
#define FOLD_8(G, v) G(FOLD_4(G, (v).lo), FOLD_4(G, (v).hi))
#define FOLD_16(G, v) G(FOLD_8(G, (v).lo), FOLD_8(G, (v).hi))

#endif
