// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vector data load and store functions, OpenCL C 6.15.7, except those of half.cl.
//
// The address is aligned only to a component. Three components are read and written one by one,
// because the fourth may be outside the buffer.
#include "builtins.h"

#define UNALIGNED(T, N)                                                                            \
  typedef T##N unaligned_##T##N __attribute__((aligned(sizeof(T)), may_alias));

#define VLOAD(T, N, SPACE)                                                                         \
  OVERLOAD T##N vload##N(size_t offset, const SPACE T* p) {                                        \
    return *(const SPACE unaligned_##T##N*)(p + N * offset);                                       \
  }
#define VSTORE(T, N, SPACE)                                                                        \
  OVERLOAD void vstore##N(T##N data, size_t offset, SPACE T* p) {                                  \
    *(SPACE unaligned_##T##N*)(p + N * offset) = data;                                             \
  }
#define VLOAD3(T, SPACE)                                                                           \
  OVERLOAD T##3 vload3(size_t offset, const SPACE T* p) {                                          \
    p += 3 * offset;                                                                               \
    return (T##3)(p[0], p[1], p[2]);                                                               \
  }
#define VSTORE3(T, SPACE)                                                                          \
  OVERLOAD void vstore3(T##3 data, size_t offset, SPACE T* p) {                                    \
    p += 3 * offset;                                                                               \
    p[0] = data.x;                                                                                 \
    p[1] = data.y;                                                                                 \
    p[2] = data.z;                                                                                 \
  }

#define VLOADS(T, SPACE)                                                                           \
  VLOAD(T, 2, SPACE)                                                                               \
  VLOAD3(T, SPACE) VLOAD(T, 4, SPACE) VLOAD(T, 8, SPACE) VLOAD(T, 16, SPACE)
#define VSTORES(T, SPACE)                                                                          \
  VSTORE(T, 2, SPACE)                                                                              \
  VSTORE3(T, SPACE) VSTORE(T, 4, SPACE) VSTORE(T, 8, SPACE) VSTORE(T, 16, SPACE)

#define VECTOR_MEMORY(T)                                                                           \
  UNALIGNED(T, 2)                                                                                  \
  UNALIGNED(T, 4)                                                                                  \
  UNALIGNED(T, 8)                                                                                  \
  UNALIGNED(T, 16)                                                                                 \
  VLOADS(T, __private)                                                                             \
  VLOADS(T, __global)                                                                              \
  VLOADS(T, __local)                                                                               \
  VLOADS(T, __constant)                                                                            \
  VLOADS(T, __generic)                                                                             \
  VSTORES(T, __private) VSTORES(T, __global) VSTORES(T, __local) VSTORES(T, __generic)
VECTOR_MEMORY(char)
VECTOR_MEMORY(uchar)
VECTOR_MEMORY(short)
VECTOR_MEMORY(ushort)
VECTOR_MEMORY(int)
VECTOR_MEMORY(uint)
VECTOR_MEMORY(long)
VECTOR_MEMORY(ulong)
VECTOR_MEMORY(half)
VECTOR_MEMORY(float)
VECTOR_MEMORY(double)
