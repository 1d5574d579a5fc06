// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operations between the lanes of a sub-group that the compiler provides
// (compiler/ir/subgroup_intrinsics.h): the sub-group functions use them. They operate on the active
// lanes. The lane argument of "read" must be uniform; the results of "ballot", "read" and "reduce"
// are uniform, which the compiler knows.
#ifndef HEDDLE_LANES_H
#define HEDDLE_LANES_H

#include "builtins.h"

uint __heddle_sub_group_local_id(void) __attribute__((const));
uint __heddle_sub_group_max_size(void) __attribute__((const));
uint __heddle_sub_group_base(void) __attribute__((const)); // linear local id of lane 0
// Whether lane 0 is the group's first work-item.
bool __heddle_sub_group_is_leader(void) __attribute__((const));
void __heddle_sub_group_barrier(void);
ulong __heddle_sub_group_ballot(bool predicate) __attribute__((const));

#define LANE_ID() __heddle_sub_group_local_id()
#define ACTIVE_LANES() __heddle_sub_group_ballot(true)
#define LANES_BEFORE() ((1ul << LANE_ID()) - 1)

// F(type)
#define FOR_LANE_INTEGERS(F) F(char) F(uchar) F(short) F(ushort) F(int) F(uint) F(long) F(ulong)
#define FOR_LANE_TYPES(F) FOR_LANE_INTEGERS(F) FOR_FLOATS(F)
// F(how, type)
#define FOR_LANE_ARITHMETIC(F, type) F(add, type) F(mul, type) F(min, type) F(max, type)
#define FOR_LANE_LOGIC(F, type) F(and, type) F(or, type) F(xor, type)

#define DECLARE_COMBINE(how, type)                                                                 \
  type __heddle_sub_group_reduce_##how##_##type(type) __attribute__((const));                      \
  type __heddle_sub_group_inclusive_scan_##how##_##type(type) __attribute__((const));              \
  type __heddle_sub_group_exclusive_scan_##how##_##type(type) __attribute__((const));              \
  type __heddle_sub_group_cluster_##how##_##type(type, uint lanes) __attribute__((const));
#define DECLARE_MOVES(type)                                                                        \
  type __heddle_sub_group_read_##type(type, uint lane) __attribute__((const));                     \
  type __heddle_sub_group_shuffle_##type(type, uint lane) __attribute__((const));
#define DECLARE_ARITHMETIC(type) FOR_LANE_ARITHMETIC(DECLARE_COMBINE, type)
#define DECLARE_LOGIC(type) FOR_LANE_LOGIC(DECLARE_COMBINE, type)
FOR_LANE_TYPES(DECLARE_MOVES)
FOR_LANE_TYPES(DECLARE_ARITHMETIC)
FOR_LANE_INTEGERS(DECLARE_LOGIC)
#undef DECLARE_COMBINE
#undef DECLARE_MOVES
#undef DECLARE_ARITHMETIC
#undef DECLARE_LOGIC

// The number of work-items of the caller's group.
HELPER uint group_items(void) {
  return (uint)(get_local_size(0) * get_local_size(1) * get_local_size(2));
}

#endif
