// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sub-group functions (OpenCL C 6.15.19) with their types extended
// (cl_khr_subgroup_extended_types).
#include "lanes.h"

OVERLOAD uint get_max_sub_group_size(void) { return __heddle_sub_group_max_size(); }
OVERLOAD uint get_sub_group_size(void) {
  return min(__heddle_sub_group_max_size(), group_items() - __heddle_sub_group_base());
}
OVERLOAD uint get_sub_group_id(void) {
  return __heddle_sub_group_base() / __heddle_sub_group_max_size();
}
OVERLOAD uint get_sub_group_local_id(void) { return LANE_ID(); }

HELPER uint sub_groups_of(uint items) {
  return (items + __heddle_sub_group_max_size() - 1) / __heddle_sub_group_max_size();
}
OVERLOAD uint get_num_sub_groups(void) { return sub_groups_of(group_items()); }
OVERLOAD uint get_enqueued_num_sub_groups(void) {
  return sub_groups_of(
      (uint)(get_enqueued_local_size(0) * get_enqueued_local_size(1) * get_enqueued_local_size(2)));
}

// The lanes are convergent; only memory must be ordered.
OVERLOAD void sub_group_barrier(cl_mem_fence_flags flags) { __heddle_sub_group_barrier(); }
OVERLOAD void sub_group_barrier(cl_mem_fence_flags flags, memory_scope scope) {
  __heddle_sub_group_barrier();
}

OVERLOAD int sub_group_all(int predicate) { return __heddle_sub_group_ballot(predicate == 0) == 0; }
OVERLOAD int sub_group_any(int predicate) { return __heddle_sub_group_ballot(predicate != 0) != 0; }

#define DEFINE_BROADCAST(type)                                                                     \
  OVERLOAD type sub_group_broadcast(type value, uint lane) {                                       \
    return __heddle_sub_group_read_##type(value, lane);                                            \
  }
FOR_LANE_TYPES(DEFINE_BROADCAST)

#define DEFINE_COMBINE(how, type)                                                                  \
  OVERLOAD type sub_group_reduce_##how(type value) {                                               \
    return __heddle_sub_group_reduce_##how##_##type(value);                                        \
  }                                                                                                \
  OVERLOAD type sub_group_scan_inclusive_##how(type value) {                                       \
    return __heddle_sub_group_inclusive_scan_##how##_##type(value);                                \
  }                                                                                                \
  OVERLOAD type sub_group_scan_exclusive_##how(type value) {                                       \
    return __heddle_sub_group_exclusive_scan_##how##_##type(value);                                \
  }
#define DEFINE_FOR(type)                                                                           \
  DEFINE_COMBINE(add, type) DEFINE_COMBINE(min, type) DEFINE_COMBINE(max, type)
FOR_LANE_TYPES(DEFINE_FOR)
