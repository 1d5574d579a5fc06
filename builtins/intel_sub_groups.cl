// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_intel_subgroups, with _char, _short and _long.
#include "lanes.h"

// The shuffles' two operands are one row of twice the sub-group's lanes.
#define DEFINE_SHUFFLES(type)                                                                      \
  OVERLOAD type intel_sub_group_shuffle(type data, uint lane) {                                    \
    return __heddle_sub_group_shuffle_##type(data, lane);                                          \
  }                                                                                                \
  OVERLOAD type intel_sub_group_shuffle_xor(type data, uint mask) {                                \
    return __heddle_sub_group_shuffle_##type(data, LANE_ID() ^ mask);                              \
  }                                                                                                \
  OVERLOAD type intel_sub_group_shuffle_down(type current, type next, uint delta) {                \
    const uint lane = LANE_ID() + delta, lanes = __heddle_sub_group_max_size();                    \
    const type near = __heddle_sub_group_shuffle_##type(current, lane);                            \
    const type far = __heddle_sub_group_shuffle_##type(next, lane - lanes);                        \
    return lane < lanes ? near : far;                                                              \
  }                                                                                                \
  OVERLOAD type intel_sub_group_shuffle_up(type previous, type current, uint delta) {              \
    const uint lane = LANE_ID() - delta;                                                           \
    const type near = __heddle_sub_group_shuffle_##type(current, lane);                            \
    const type far =                                                                               \
        __heddle_sub_group_shuffle_##type(previous, lane + __heddle_sub_group_max_size());         \
    return LANE_ID() >= delta ? near : far;                                                        \
  }
FOR_LANE_TYPES(DEFINE_SHUFFLES)

#define DEFINE_COMBINE(how, type)                                                                  \
  OVERLOAD type intel_sub_group_reduce_##how(type value) {                                         \
    return __heddle_sub_group_reduce_##how##_##type(value);                                        \
  }                                                                                                \
  OVERLOAD type intel_sub_group_scan_inclusive_##how(type value) {                                 \
    return __heddle_sub_group_inclusive_scan_##how##_##type(value);                                \
  }                                                                                                \
  OVERLOAD type intel_sub_group_scan_exclusive_##how(type value) {                                 \
    return __heddle_sub_group_exclusive_scan_##how##_##type(value);                                \
  }
#define DEFINE_NARROW(type)                                                                        \
  OVERLOAD type intel_sub_group_broadcast(type value, uint lane) {                                 \
    return __heddle_sub_group_read_##type(value, lane);                                            \
  }                                                                                                \
  DEFINE_COMBINE(add, type) DEFINE_COMBINE(min, type) DEFINE_COMBINE(max, type)
DEFINE_NARROW(char)
DEFINE_NARROW(uchar)
DEFINE_NARROW(short)
DEFINE_NARROW(ushort)

// Blocks: component k of a lane is at place[lane + k * lanes]. The address is the same in all
// lanes, which makes each component one wide access; lane 0's tells the compiler so. Those of local
// memory (cl_intel_subgroup_local_block_io) stay pointers to it, which passes look for.
#define DEFINE_PLACE(type)                                                                         \
  HELPER __global type* own_element(const __global type* place) {                                  \
    return (__global type*)__heddle_sub_group_read_ulong((ulong)place, 0) + LANE_ID();             \
  }                                                                                                \
  HELPER __local type* own_element(const __local type* place) {                                    \
    return (__local type*)place + LANE_ID();                                                       \
  }
#define DEFINE_BLOCK_IN(space, type, suffix)                                                       \
  OVERLOAD type intel_sub_group_block_read##suffix(const space type* place) {                      \
    return *own_element(place);                                                                    \
  }                                                                                                \
  OVERLOAD void intel_sub_group_block_write##suffix(space type* place, type data) {                \
    *own_element(place) = data;                                                                    \
  }
#define DEFINE_BLOCKS_IN(space, n, type, suffix)                                                   \
  OVERLOAD type##n intel_sub_group_block_read##suffix##n(const space type* place) {                \
    const space type* own = own_element(place);                                                    \
    type##n data;                                                                                  \
    UNROLL                                                                                         \
    for (uint i = 0; i < n; ++i)                                                                   \
      data[i] = own[i * __heddle_sub_group_max_size()];                                            \
    return data;                                                                                   \
  }                                                                                                \
  OVERLOAD void intel_sub_group_block_write##suffix##n(space type* place, type##n data) {          \
    space type* own = own_element(place);                                                          \
    UNROLL                                                                                         \
    for (uint i = 0; i < n; ++i)                                                                   \
      own[i * __heddle_sub_group_max_size()] = data[i];                                            \
  }
#define DEFINE_BLOCK(type, suffix)                                                                 \
  DEFINE_BLOCK_IN(__global, type, suffix) DEFINE_BLOCK_IN(__local, type, suffix)
#define DEFINE_BLOCKS(n, type, suffix)                                                             \
  DEFINE_BLOCKS_IN(__global, n, type, suffix) DEFINE_BLOCKS_IN(__local, n, type, suffix)
#define DEFINE_ALL(type, suffix)                                                                   \
  DEFINE_BLOCK(type, suffix)                                                                       \
  DEFINE_BLOCKS(2, type, suffix) DEFINE_BLOCKS(4, type, suffix) DEFINE_BLOCKS(8, type, suffix)
DEFINE_PLACE(uchar)
DEFINE_PLACE(ushort)
DEFINE_PLACE(uint)
DEFINE_PLACE(ulong)
DEFINE_ALL(uint, )
DEFINE_ALL(uint, _ui)
DEFINE_ALL(ulong, _ul)
DEFINE_ALL(ushort, _us)
DEFINE_BLOCKS(16, ushort, _us)
DEFINE_ALL(uchar, _uc)
DEFINE_BLOCKS(16, uchar, _uc)
