// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_khr_subgroup_non_uniform_arithmetic and cl_khr_subgroup_clustered_reduce: over the active
// lanes.
#include "lanes.h"

#define DEFINE_COMBINE(how, type)                                                                  \
  OVERLOAD type sub_group_non_uniform_reduce_##how(type value) {                                   \
    return __heddle_sub_group_reduce_##how##_##type(value);                                        \
  }                                                                                                \
  OVERLOAD type sub_group_non_uniform_scan_inclusive_##how(type value) {                           \
    return __heddle_sub_group_inclusive_scan_##how##_##type(value);                                \
  }                                                                                                \
  OVERLOAD type sub_group_non_uniform_scan_exclusive_##how(type value) {                           \
    return __heddle_sub_group_exclusive_scan_##how##_##type(value);                                \
  }                                                                                                \
  OVERLOAD type sub_group_clustered_reduce_##how(type value, uint lanes) {                         \
    return __heddle_sub_group_cluster_##how##_##type(value, lanes);                                \
  }
#define DEFINE_ARITHMETIC(type) FOR_LANE_ARITHMETIC(DEFINE_COMBINE, type)
#define DEFINE_LOGIC(type) FOR_LANE_LOGIC(DEFINE_COMBINE, type)
FOR_LANE_TYPES(DEFINE_ARITHMETIC)
FOR_LANE_INTEGERS(DEFINE_LOGIC)

// Of booleans, from the bits of the participating lanes.
#define SET(predicate, lanes) (__heddle_sub_group_ballot((predicate) != 0) & (lanes))
#define CLEAR(predicate, lanes) (__heddle_sub_group_ballot((predicate) == 0) & (lanes))
#define ALL(predicate, lanes) (CLEAR(predicate, lanes) == 0)
#define ANY(predicate, lanes) (SET(predicate, lanes) != 0)
#define ODD(predicate, lanes) ((int)(popcount(SET(predicate, lanes)) & 1))

HELPER ulong lanes_of_cluster(uint lanes) {
  return (~0ul >> (64 - lanes)) << (LANE_ID() & ~(lanes - 1));
}

#define DEFINE_LOGICAL(how, RESULT)                                                                \
  HELPER int how##_among(int predicate, ulong lanes) { return RESULT(predicate, lanes); }          \
  OVERLOAD int sub_group_non_uniform_reduce_##how(int predicate) {                                 \
    return how##_among(predicate, ~0ul);                                                           \
  }                                                                                                \
  OVERLOAD int sub_group_non_uniform_scan_inclusive_##how(int predicate) {                         \
    return how##_among(predicate, LANES_BEFORE() << 1 | 1);                                        \
  }                                                                                                \
  OVERLOAD int sub_group_non_uniform_scan_exclusive_##how(int predicate) {                         \
    return how##_among(predicate, LANES_BEFORE());                                                 \
  }                                                                                                \
  OVERLOAD int sub_group_clustered_reduce_##how(int predicate, uint lanes) {                       \
    return how##_among(predicate, lanes_of_cluster(lanes));                                        \
  }
DEFINE_LOGICAL(logical_and, ALL)
DEFINE_LOGICAL(logical_or, ANY)
DEFINE_LOGICAL(logical_xor, ODD)
