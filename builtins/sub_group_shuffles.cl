// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_khr_subgroup_shuffle, cl_khr_subgroup_shuffle_relative and cl_khr_subgroup_rotate.
#include "lanes.h"

#define DEFINE_SHUFFLES(type)                                                                      \
  OVERLOAD type sub_group_shuffle(type value, uint lane) {                                         \
    return __heddle_sub_group_shuffle_##type(value, lane);                                         \
  }                                                                                                \
  OVERLOAD type sub_group_shuffle_xor(type value, uint mask) {                                     \
    return __heddle_sub_group_shuffle_##type(value, LANE_ID() ^ mask);                             \
  }                                                                                                \
  OVERLOAD type sub_group_shuffle_up(type value, uint delta) {                                     \
    return __heddle_sub_group_shuffle_##type(value, LANE_ID() - delta);                            \
  }                                                                                                \
  OVERLOAD type sub_group_shuffle_down(type value, uint delta) {                                   \
    return __heddle_sub_group_shuffle_##type(value, LANE_ID() + delta);                            \
  }                                                                                                \
  OVERLOAD type sub_group_clustered_rotate(type value, int delta, uint lanes) {                    \
    const uint own = LANE_ID() & (lanes - 1);                                                      \
    const uint other = (own + (uint)delta) & (lanes - 1);                                          \
    return __heddle_sub_group_shuffle_##type(value, LANE_ID() - own + other);                      \
  }                                                                                                \
  OVERLOAD type sub_group_rotate(type value, int delta) {                                          \
    const uint mask = __heddle_sub_group_max_size() - 1;                                           \
    return __heddle_sub_group_shuffle_##type(value, (LANE_ID() + (uint)delta) & mask);             \
  }
FOR_LANE_TYPES(DEFINE_SHUFFLES)
