// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C11 atomic_compare_exchange_{strong,weak}, OpenCL C 6.15.12.7.4. The expected value may be in any
// address space.
#include "atomic_c11.h"

// Both functions never fail spuriously. Memory orders between relaxed and sequentially consistent
// cost the same as the latter, which is used for them.
#define EXCHANGE_KIND(KIND, A, T, I, SPACE, EXPECTED)                                              \
  OVERLOAD bool atomic_compare_exchange_##KIND##_explicit(                                         \
      volatile SPACE A* p, EXPECTED T* expected, T desired, memory_order success,                  \
      memory_order failure, memory_scope scope) {                                                  \
    volatile SPACE I* bits = (volatile SPACE I*)p;                                                 \
    I old = as_##I(*expected);                                                                     \
    bool relaxed = success == memory_order_relaxed && failure == memory_order_relaxed;             \
    bool done = relaxed ? __atomic_compare_exchange_n(bits, &old, as_##I(desired), false,          \
                                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED)          \
                        : __atomic_compare_exchange_n(bits, &old, as_##I(desired), false,          \
                                                      __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);         \
    if (!done)                                                                                     \
      *expected = as_##T(old);                                                                     \
    return done;                                                                                   \
  }                                                                                                \
  OVERLOAD bool atomic_compare_exchange_##KIND##_explicit(                                         \
      volatile SPACE A* p, EXPECTED T* expected, T desired, memory_order success,                  \
      memory_order failure) {                                                                      \
    return atomic_compare_exchange_##KIND##_explicit(p, expected, desired, success, failure,       \
                                                     memory_scope_device);                         \
  }                                                                                                \
  OVERLOAD bool atomic_compare_exchange_##KIND(volatile SPACE A* p, EXPECTED T* expected,          \
                                               T desired) {                                        \
    return atomic_compare_exchange_##KIND##_explicit(p, expected, desired, memory_order_seq_cst,   \
                                                     memory_order_seq_cst, memory_scope_device);   \
  }

#define EXCHANGE(SPACE, EXPECTED, A, T, I)                                                         \
  EXCHANGE_KIND(strong, A, T, I, SPACE, EXPECTED) EXCHANGE_KIND(weak, A, T, I, SPACE, EXPECTED)
#define EXCHANGE_SPACES(SPACE, A, T, I)                                                            \
  EXCHANGE(SPACE, __global, A, T, I)                                                               \
  EXCHANGE(SPACE, __local, A, T, I)                                                                \
  EXCHANGE(SPACE, __private, A, T, I) EXCHANGE(SPACE, __generic, A, T, I)
FOR_SPACES(EXCHANGE_SPACES, atomic_int, int, int)
FOR_SPACES(EXCHANGE_SPACES, atomic_uint, uint, uint)
FOR_SPACES(EXCHANGE_SPACES, atomic_long, long, long)
FOR_SPACES(EXCHANGE_SPACES, atomic_ulong, ulong, ulong)
FOR_SPACES(EXCHANGE_SPACES, atomic_float, float, int)
FOR_SPACES(EXCHANGE_SPACES, atomic_double, double, long)
