// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads and stores of halves as floats and doubles, OpenCL C 6.15.7: vload_half, vloada_half,
// vstore_half and vstorea_half with every rounding.
//
// The address is aligned only to a half, except for the "a" functions, whose vectors of 3
// components have a stride of 4. Three components are read and written one by one.
#include "rounding.h"

typedef half2 packed_half2 __attribute__((aligned(2)));
typedef half4 packed_half4 __attribute__((aligned(2)));
typedef half8 packed_half8 __attribute__((aligned(2)));
typedef half16 packed_half16 __attribute__((aligned(2)));

#define LOAD(NAME, N, TYPE, SPACE)                                                                 \
  OVERLOAD float##N NAME##N(size_t offset, const SPACE half* p) {                                  \
    return __builtin_convertvector(*(const SPACE TYPE##N*)(p + N * offset), float##N);             \
  }
#define LOAD3(NAME, STEP, SPACE)                                                                   \
  OVERLOAD float3 NAME(size_t offset, const SPACE half* p) {                                       \
    p += STEP * offset;                                                                            \
    return (float3)((float)p[0], (float)p[1], (float)p[2]);                                        \
  }
#define LOADS(SPACE)                                                                               \
  OVERLOAD float vload_half(size_t offset, const SPACE half* p) { return (float)p[offset]; }       \
  LOAD(vload_half, 2, packed_half, SPACE)                                                          \
  LOAD3(vload_half3, 3, SPACE)                                                                     \
  LOAD(vload_half, 4, packed_half, SPACE)                                                          \
  LOAD(vload_half, 8, packed_half, SPACE)                                                          \
  LOAD(vload_half, 16, packed_half, SPACE)                                                         \
  LOAD(vloada_half, 2, half, SPACE)                                                                \
  LOAD3(vloada_half3, 4, SPACE)                                                                    \
  LOAD(vloada_half, 4, half, SPACE)                                                                \
  LOAD(vloada_half, 8, half, SPACE)                                                                \
  LOAD(vloada_half, 16, half, SPACE)
LOADS(__private)
LOADS(__global)
LOADS(__local)
LOADS(__constant)
LOADS(__generic)

#define ROUND(S, data, MODE) to_half_##MODE(data.S)
#define STORE(NAME, N, SUFFIX, MODE, TYPE, T, SPACE)                                               \
  OVERLOAD void NAME##N##SUFFIX(T##N data, size_t offset, SPACE half* p) {                         \
    *(SPACE TYPE##N*)(p + N * offset) = (half##N)(EACH_##N(ROUND, data, MODE));                    \
  }
#define STORE3(NAME, STEP, MODE, T, SPACE)                                                         \
  OVERLOAD void NAME(T##3 data, size_t offset, SPACE half* p) {                                    \
    p += STEP * offset;                                                                            \
    p[0] = to_half_##MODE(data.x);                                                                 \
    p[1] = to_half_##MODE(data.y);                                                                 \
    p[2] = to_half_##MODE(data.z);                                                                 \
  }
#define STORES_OF(SUFFIX, MODE, T, SPACE)                                                          \
  OVERLOAD void vstore_half##SUFFIX(T data, size_t offset, SPACE half* p) {                        \
    p[offset] = to_half_##MODE(data);                                                              \
  }                                                                                                \
  STORE(vstore_half, 2, SUFFIX, MODE, packed_half, T, SPACE)                                       \
  STORE3(vstore_half3##SUFFIX, 3, MODE, T, SPACE)                                                  \
  STORE(vstore_half, 4, SUFFIX, MODE, packed_half, T, SPACE)                                       \
  STORE(vstore_half, 8, SUFFIX, MODE, packed_half, T, SPACE)                                       \
  STORE(vstore_half, 16, SUFFIX, MODE, packed_half, T, SPACE)                                      \
  STORE(vstorea_half, 2, SUFFIX, MODE, half, T, SPACE)                                             \
  STORE3(vstorea_half3##SUFFIX, 4, MODE, T, SPACE)                                                 \
  STORE(vstorea_half, 4, SUFFIX, MODE, half, T, SPACE)                                             \
  STORE(vstorea_half, 8, SUFFIX, MODE, half, T, SPACE)                                             \
  STORE(vstorea_half, 16, SUFFIX, MODE, half, T, SPACE)
#define STORES(T, SPACE)                                                                           \
  STORES_OF(, rte, T, SPACE)                                                                       \
  STORES_OF(_rte, rte, T, SPACE)                                                                   \
  STORES_OF(_rtz, rtz, T, SPACE)                                                                   \
  STORES_OF(_rtp, rtp, T, SPACE)                                                                   \
  STORES_OF(_rtn, rtn, T, SPACE)
STORES(float, __private)
STORES(float, __global)
STORES(float, __local)
STORES(float, __generic)
STORES(double, __private)
STORES(double, __global)
STORES(double, __local)
STORES(double, __generic)
