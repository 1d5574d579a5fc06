// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C11 atomics of OpenCL C 2.0 and 3.0, 6.15.12: initialization, load, store, exchange, flags and
// fences. Compare-exchange and read-modify-write are in other files.
#include "atomic_c11.h"

// A: atomic type, T: its value, I: the integer type of the same width, which the operation uses.
#define MEMORY(SPACE, A, T, I)                                                                     \
  ATOMIC_UNARY(atomic_store, void, A, T, SPACE,                                                    \
               __atomic_store_n((volatile SPACE I*)p, as_##I(v), order);)                          \
  ATOMIC_NULLARY(atomic_load, T, A, SPACE,                                                         \
                 return as_##T(__atomic_load_n((volatile SPACE I*)p, order));)                     \
  ATOMIC_UNARY(atomic_exchange, T, A, T, SPACE,                                                    \
               return as_##T(__atomic_exchange_n((SPACE I*)p, as_##I(v), order));)                 \
  OVERLOAD void atomic_init(volatile SPACE A* p, T v) { *(volatile SPACE T*)p = v; }
FOR_SPACES(MEMORY, atomic_int, int, int)
FOR_SPACES(MEMORY, atomic_uint, uint, uint)
FOR_SPACES(MEMORY, atomic_long, long, long)
FOR_SPACES(MEMORY, atomic_ulong, ulong, ulong)
FOR_SPACES(MEMORY, atomic_float, float, int)
FOR_SPACES(MEMORY, atomic_double, double, long)
FOR_SPACES(MEMORY, atomic_half, half, short)

// atomic_flag is an atomic_int.
#define FLAG(SPACE, ...)                                                                           \
  ATOMIC_NULLARY(atomic_flag_test_and_set, bool, atomic_flag, SPACE,                               \
                 return __atomic_exchange_n((volatile SPACE int*)p, 1, order) != 0;)               \
  ATOMIC_NULLARY(atomic_flag_clear, void, atomic_flag, SPACE,                                      \
                 __atomic_store_n((volatile SPACE int*)p, 0, order);)
FOR_SPACES(FLAG)

OVERLOAD void atomic_work_item_fence(cl_mem_fence_flags flags, memory_order order,
                                     memory_scope scope) {
  __atomic_thread_fence(order);
}
OVERLOAD void mem_fence(cl_mem_fence_flags flags) { __atomic_thread_fence(__ATOMIC_ACQ_REL); }
OVERLOAD void read_mem_fence(cl_mem_fence_flags flags) { __atomic_thread_fence(__ATOMIC_ACQUIRE); }
OVERLOAD void write_mem_fence(cl_mem_fence_flags flags) { __atomic_thread_fence(__ATOMIC_RELEASE); }

// Clang's own declarations have a stored value of type atomic_half instead of half. Both are passed
// like a half.
#define STORE_ATOMIC_HALF(SPACE, ...)                                                              \
  OVERLOAD void atomic_store(volatile SPACE atomic_half* p, atomic_half v) {                       \
    do_atomic_store(p, *(half*)&v, memory_order_seq_cst);                                          \
  }                                                                                                \
  OVERLOAD void atomic_store_explicit(volatile SPACE atomic_half* p, atomic_half v,                \
                                      memory_order order) {                                        \
    do_atomic_store(p, *(half*)&v, order);                                                         \
  }                                                                                                \
  OVERLOAD void atomic_store_explicit(volatile SPACE atomic_half* p, atomic_half v,                \
                                      memory_order order, memory_scope scope) {                    \
    do_atomic_store(p, *(half*)&v, order);                                                         \
  }
FOR_SPACES(STORE_ATOMIC_HALF)
