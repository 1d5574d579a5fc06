// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Macros shared by the C11 atomics. The memory order is an argument, which is a constant after
// inlining; the scope is not used, because memory is coherent in the whole system.
#ifndef HEDDLE_ATOMIC_C11_H
#define HEDDLE_ATOMIC_C11_H

#include "builtins.h"

// F(space)
#define FOR_SPACES(F, ...)                                                                         \
  F(__global, __VA_ARGS__) F(__local, __VA_ARGS__) F(__generic, __VA_ARGS__)

// Declares NAME with one operand V and its two _explicit forms, for pointers to atomic A; BODY
// may use p, v and order.
#define ATOMIC_UNARY(NAME, R, A, V, SPACE, BODY)                                                   \
  HELPER R do_##NAME(volatile SPACE A* p, V v,                                                     \
                     memory_order order){BODY} OVERLOAD R NAME(volatile SPACE A* p, V v) {         \
    return do_##NAME(p, v, memory_order_seq_cst);                                                  \
  }                                                                                                \
  OVERLOAD R NAME##_explicit(volatile SPACE A* p, V v, memory_order order) {                       \
    return do_##NAME(p, v, order);                                                                 \
  }                                                                                                \
  OVERLOAD R NAME##_explicit(volatile SPACE A* p, V v, memory_order order, memory_scope scope) {   \
    return do_##NAME(p, v, order);                                                                 \
  }

// The same without an operand.
#define ATOMIC_NULLARY(NAME, R, A, SPACE, BODY)                                                    \
  HELPER R do_##NAME(volatile SPACE A* p,                                                          \
                     memory_order order){BODY} OVERLOAD R NAME(volatile SPACE A* p) {              \
    return do_##NAME(p, memory_order_seq_cst);                                                     \
  }                                                                                                \
  OVERLOAD R NAME##_explicit(volatile SPACE A* p, memory_order order) {                            \
    return do_##NAME(p, order);                                                                    \
  }                                                                                                \
  OVERLOAD R NAME##_explicit(volatile SPACE A* p, memory_order order, memory_scope scope) {        \
    return do_##NAME(p, order);                                                                    \
  }

#endif
