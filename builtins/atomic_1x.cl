// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic functions of OpenCL C 1.x, 6.15.12.8: atomic_* for 32 bits and atom_* of the extensions
// for 32 and 64 bits, on global and local memory. All are relaxed. Their pointers are declared
// volatile only so that volatile pointers are accepted. The updates are not volatile, so that
// several may be combined.
#include "builtins.h"

#define ORDER __ATOMIC_RELAXED

#define ATOMIC(PREFIX, T, SPACE)                                                                   \
  OVERLOAD T PREFIX##_add(volatile SPACE T* p, T v) {                                              \
    return __atomic_fetch_add((SPACE T*)p, v, ORDER);                                              \
  }                                                                                                \
  OVERLOAD T PREFIX##_sub(volatile SPACE T* p, T v) {                                              \
    return __atomic_fetch_sub((SPACE T*)p, v, ORDER);                                              \
  }                                                                                                \
  OVERLOAD T PREFIX##_xchg(volatile SPACE T* p, T v) {                                             \
    return __atomic_exchange_n((SPACE T*)p, v, ORDER);                                             \
  }                                                                                                \
  OVERLOAD T PREFIX##_min(volatile SPACE T* p, T v) {                                              \
    return __atomic_fetch_min((SPACE T*)p, v, ORDER);                                              \
  }                                                                                                \
  OVERLOAD T PREFIX##_max(volatile SPACE T* p, T v) {                                              \
    return __atomic_fetch_max((SPACE T*)p, v, ORDER);                                              \
  }                                                                                                \
  OVERLOAD T PREFIX##_and(volatile SPACE T* p, T v) {                                              \
    return __atomic_fetch_and((SPACE T*)p, v, ORDER);                                              \
  }                                                                                                \
  OVERLOAD T PREFIX##_or(volatile SPACE T* p, T v) {                                               \
    return __atomic_fetch_or((SPACE T*)p, v, ORDER);                                               \
  }                                                                                                \
  OVERLOAD T PREFIX##_xor(volatile SPACE T* p, T v) {                                              \
    return __atomic_fetch_xor((SPACE T*)p, v, ORDER);                                              \
  }                                                                                                \
  OVERLOAD T PREFIX##_inc(volatile SPACE T* p) {                                                   \
    return __atomic_fetch_add((SPACE T*)p, (T)1, ORDER);                                           \
  }                                                                                                \
  OVERLOAD T PREFIX##_dec(volatile SPACE T* p) {                                                   \
    return __atomic_fetch_sub((SPACE T*)p, (T)1, ORDER);                                           \
  }                                                                                                \
  OVERLOAD T PREFIX##_cmpxchg(volatile SPACE T* p, T expected, T desired) {                        \
    __atomic_compare_exchange_n((SPACE T*)p, &expected, desired, false, ORDER, ORDER);             \
    return expected;                                                                               \
  }
#define ATOMIC_SPACES(PREFIX, T) ATOMIC(PREFIX, T, __global) ATOMIC(PREFIX, T, __local)
ATOMIC_SPACES(atomic, int)
ATOMIC_SPACES(atomic, uint)
ATOMIC_SPACES(atom, int)
ATOMIC_SPACES(atom, uint)
ATOMIC_SPACES(atom, long)
ATOMIC_SPACES(atom, ulong)

// The only function on floats exchanges their bits.
#define ATOMIC_FLOAT(SPACE)                                                                        \
  OVERLOAD float atomic_xchg(volatile SPACE float* p, float v) {                                   \
    return as_float(__atomic_exchange_n((SPACE int*)p, as_int(v), ORDER));                         \
  }
ATOMIC_FLOAT(__global)
ATOMIC_FLOAT(__local)
