// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C11 atomic_fetch_*, OpenCL C 6.15.12.7.5, and those of cl_ext_float_atomics. Updates are not
// volatile (atomic_1x.cl).
#include "atomic_c11.h"

#define FETCH(SPACE, OP, A, T, V)                                                                  \
  ATOMIC_UNARY(atomic_fetch_##OP, T, A, V, SPACE,                                                  \
               return __atomic_fetch_##OP((SPACE T*)p, (T)v, order);)
#define FETCH_ALL(A, T)                                                                            \
  FOR_SPACES(FETCH, add, A, T, T)                                                                  \
  FOR_SPACES(FETCH, sub, A, T, T)                                                                  \
  FOR_SPACES(FETCH, or, A, T, T)                                                                   \
  FOR_SPACES(FETCH, xor, A, T, T)                                                                  \
  FOR_SPACES(FETCH, and, A, T, T)                                                                  \
  FOR_SPACES(FETCH, min, A, T, T) FOR_SPACES(FETCH, max, A, T, T)
FETCH_ALL(atomic_int, int)
FETCH_ALL(atomic_uint, uint)
FETCH_ALL(atomic_long, long)
FETCH_ALL(atomic_ulong, ulong)

// Atomic addresses (atomic_uintptr_t is atomic_ulong) also take operands of the other signedness.
#define FETCH_ADDRESS(A, T, V)                                                                     \
  FOR_SPACES(FETCH, add, A, T, V)                                                                  \
  FOR_SPACES(FETCH, sub, A, T, V)                                                                  \
  FOR_SPACES(FETCH, or, A, T, V)                                                                   \
  FOR_SPACES(FETCH, xor, A, T, V)                                                                  \
  FOR_SPACES(FETCH, and, A, T, V)                                                                  \
  FOR_SPACES(FETCH, min, A, T, V) FOR_SPACES(FETCH, max, A, T, V)
FETCH_ADDRESS(atomic_ulong, ulong, long)
FETCH_ADDRESS(atomic_long, long, ulong)

// Floating point: a compare-exchange loop. min and max prefer a number to a NaN.
#define FETCH_FLOAT(SPACE, OP, A, T, I, VALUE)                                                     \
  ATOMIC_UNARY(                                                                                    \
      atomic_fetch_##OP, T, A, T, SPACE, volatile SPACE I* bits = (volatile SPACE I*)p;            \
      I expected = __atomic_load_n(bits, __ATOMIC_RELAXED); T old; I desired; do {                 \
        old = as_##T(expected);                                                                    \
        desired = as_##I((T)(VALUE));                                                              \
      } while (!__atomic_compare_exchange_n(bits, &expected, desired, true, order,                 \
                                            __ATOMIC_RELAXED));                                    \
      return old;)
#define FETCH_FLOAT_ALL(A, T, I)                                                                   \
  FOR_SPACES(FETCH_FLOAT, add, A, T, I, old + v)                                                   \
  FOR_SPACES(FETCH_FLOAT, sub, A, T, I, old - v)                                                   \
  FOR_SPACES(FETCH_FLOAT, min, A, T, I, __builtin_elementwise_min(old, v))                         \
  FOR_SPACES(FETCH_FLOAT, max, A, T, I, __builtin_elementwise_max(old, v))
FETCH_FLOAT_ALL(atomic_float, float, int)
FETCH_FLOAT_ALL(atomic_double, double, long)
FETCH_FLOAT_ALL(atomic_half, half, short)
