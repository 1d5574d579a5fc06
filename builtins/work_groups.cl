// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work-group functions (OpenCL C 6.15.16).
//
// Between two barriers the sub-groups of a group run one after the other, in the order of their ids
// (runtime/execution/worker_thread.cpp). So each combines its value with the result of those before
// it, and after one barrier the last result is that of the group.
#include "lanes.h"

// Three i64 slots in local memory: two alternating result slots and a counter that selects one. A
// sub-group that is already in the next function writes the other slot, and cannot pass that
// function's barrier before all have read this one.
__local ulong* __heddle_group_results(void);
uint __heddle_group_turn(__local ulong* count, bool is_first);

HELPER __local ulong* next_result(bool is_first) {
  __local ulong* results = __heddle_group_results();
  return results + __heddle_group_turn(results + 2, is_first);
}

// The order of the operations is unspecified.
#pragma clang fp reassociate(on)

#define DEFINE_COMBINE(how, type, COMBINE)                                                         \
  OVERLOAD type work_group_reduce_##how(type value) {                                              \
    const bool is_first = __heddle_sub_group_base() == 0;                                          \
    __local type* result = (__local type*)next_result(is_first);                                   \
    const type own = __heddle_sub_group_reduce_##how##_##type(value);                              \
    *result = is_first ? own : COMBINE(*result, own);                                              \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                  \
    return *result;                                                                                \
  }                                                                                                \
  HELPER type before_sub_group_##how(type value, bool is_first) {                                  \
    __local type* result = (__local type*)next_result(is_first);                                   \
    const type own = __heddle_sub_group_reduce_##how##_##type(value);                              \
    const type before = *result;                                                                   \
    *result = is_first ? own : COMBINE(before, own);                                               \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                  \
    return before;                                                                                 \
  }                                                                                                \
  OVERLOAD type work_group_scan_inclusive_##how(type value) {                                      \
    const bool is_first = __heddle_sub_group_base() == 0;                                          \
    const type before = before_sub_group_##how(value, is_first);                                   \
    const type own = __heddle_sub_group_inclusive_scan_##how##_##type(value);                      \
    return is_first ? own : COMBINE(before, own);                                                  \
  }                                                                                                \
  OVERLOAD type work_group_scan_exclusive_##how(type value) {                                      \
    const bool is_first = __heddle_sub_group_base() == 0;                                          \
    const type before = before_sub_group_##how(value, is_first);                                   \
    const type own = __heddle_sub_group_exclusive_scan_##how##_##type(value);                      \
    return is_first ? own : COMBINE(before, own);                                                  \
  }

#define DEFINE_BROADCAST(type)                                                                     \
  HELPER type broadcast_linear(type value, uint item) {                                            \
    const uint base = __heddle_sub_group_base();                                                   \
    __local type* result = (__local type*)next_result(base == 0);                                  \
    if (item - base < __heddle_sub_group_max_size())                                               \
      *result = __heddle_sub_group_read_##type(value, item - base);                                \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                  \
    return *result;                                                                                \
  }                                                                                                \
  OVERLOAD type work_group_broadcast(type value, size_t x) {                                       \
    return broadcast_linear(value, (uint)x);                                                       \
  }                                                                                                \
  OVERLOAD type work_group_broadcast(type value, size_t x, size_t y) {                             \
    return broadcast_linear(value, (uint)(y * get_local_size(0) + x));                             \
  }                                                                                                \
  OVERLOAD type work_group_broadcast(type value, size_t x, size_t y, size_t z) {                   \
    return broadcast_linear(value, (uint)((z * get_local_size(1) + y) * get_local_size(0) + x));   \
  }

#define ADD(a, b) ((a) + (b))
#define MIN_INTEGER(a, b) min(a, b)
#define MAX_INTEGER(a, b) max(a, b)
#define MIN_FLOAT(a, b) fmin(a, b)
#define MAX_FLOAT(a, b) fmax(a, b)

#define DEFINE_INTEGERS(type)                                                                      \
  DEFINE_COMBINE(add, type, ADD)                                                                   \
  DEFINE_COMBINE(min, type, MIN_INTEGER)                                                           \
  DEFINE_COMBINE(max, type, MAX_INTEGER)                                                           \
  DEFINE_BROADCAST(type)
#define DEFINE_FLOATS(type)                                                                        \
  DEFINE_COMBINE(add, type, ADD)                                                                   \
  DEFINE_COMBINE(min, type, MIN_FLOAT)                                                             \
  DEFINE_COMBINE(max, type, MAX_FLOAT)                                                             \
  DEFINE_BROADCAST(type)
DEFINE_INTEGERS(int)
DEFINE_INTEGERS(uint)
DEFINE_INTEGERS(long)
DEFINE_INTEGERS(ulong)
FOR_FLOATS(DEFINE_FLOATS)

// Of cl_khr_work_group_uniform_arithmetic, which SPV_KHR_uniform_group_instructions stands for.
#define MUL(a, b) ((a) * (b))
#define AND(a, b) ((a) & (b))
#define OR(a, b) ((a) | (b))
#define XOR(a, b) ((a) ^ (b))
#define DEFINE_UNIFORM_INTEGERS(type)                                                              \
  DEFINE_COMBINE(mul, type, MUL)                                                                   \
  DEFINE_COMBINE(and, type, AND)                                                                   \
  DEFINE_COMBINE(or, type, OR)                                                                     \
  DEFINE_COMBINE(xor, type, XOR)
#define DEFINE_UNIFORM_FLOATS(type) DEFINE_COMBINE(mul, type, MUL)
DEFINE_UNIFORM_INTEGERS(int)
DEFINE_UNIFORM_INTEGERS(uint)
DEFINE_UNIFORM_INTEGERS(long)
DEFINE_UNIFORM_INTEGERS(ulong)
FOR_FLOATS(DEFINE_UNIFORM_FLOATS)

#define DEFINE_LOGICAL(how)                                                                        \
  OVERLOAD int work_group_reduce_logical_##how(int x) {                                            \
    return work_group_reduce_##how((int)(x != 0));                                                 \
  }                                                                                                \
  OVERLOAD int work_group_scan_inclusive_logical_##how(int x) {                                    \
    return work_group_scan_inclusive_##how((int)(x != 0));                                         \
  }                                                                                                \
  OVERLOAD int work_group_scan_exclusive_logical_##how(int x) {                                    \
    return work_group_scan_exclusive_##how((int)(x != 0)) & 1; /* all bits, where there is none */ \
  }
DEFINE_LOGICAL(and)
DEFINE_LOGICAL(or)
DEFINE_LOGICAL(xor)

OVERLOAD int work_group_all(int predicate) {
  return work_group_reduce_min((int)(__heddle_sub_group_ballot(predicate == 0) == 0));
}
OVERLOAD int work_group_any(int predicate) {
  return work_group_reduce_max((int)(__heddle_sub_group_ballot(predicate != 0) != 0));
}
