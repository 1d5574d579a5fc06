// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_khr_subgroup_non_uniform_vote and cl_khr_subgroup_ballot.
#include "lanes.h"

// --- Votes
// ----------------------------------------------------------------------------------------

OVERLOAD int sub_group_elect(void) { return (ACTIVE_LANES() & LANES_BEFORE()) == 0; }
OVERLOAD int sub_group_non_uniform_all(int predicate) {
  return __heddle_sub_group_ballot(predicate == 0) == 0;
}
OVERLOAD int sub_group_non_uniform_any(int predicate) {
  return __heddle_sub_group_ballot(predicate != 0) != 0;
}

// --- Values of one lane
// ---------------------------------------------------------------------------

#define DEFINE_BROADCAST(type)                                                                     \
  OVERLOAD type sub_group_non_uniform_broadcast(type value, uint lane) {                           \
    return __heddle_sub_group_read_##type(value, lane);                                            \
  }                                                                                                \
  OVERLOAD type sub_group_broadcast_first(type value) {                                            \
    return __heddle_sub_group_read_##type(value, (uint)ctz(ACTIVE_LANES()));                       \
  }                                                                                                \
  OVERLOAD int sub_group_non_uniform_all_equal(type value) {                                       \
    const type first = __heddle_sub_group_read_##type(value, (uint)ctz(ACTIVE_LANES()));           \
    return __heddle_sub_group_ballot(!(value == first)) == 0;                                      \
  }
FOR_LANE_TYPES(DEFINE_BROADCAST)

// --- Ballots: lanes as bits
// -----------------------------------------------------------------------

HELPER uint4 to_ballot(ulong bits) { return (uint4)((uint)bits, (uint)(bits >> 32), 0, 0); }
HELPER ulong to_bits(uint4 ballot) { return (ulong)ballot.y << 32 | ballot.x; }
// The lanes of a full sub-group.
HELPER ulong all_lanes(void) { return ~0ul >> (64 - __heddle_sub_group_max_size()); }
HELPER ulong counted(uint4 ballot) { return to_bits(ballot) & all_lanes(); }

OVERLOAD uint4 sub_group_ballot(int predicate) {
  return to_ballot(__heddle_sub_group_ballot(predicate != 0));
}
OVERLOAD int sub_group_inverse_ballot(uint4 value) { return to_bits(value) >> LANE_ID() & 1; }
OVERLOAD int sub_group_ballot_bit_extract(uint4 value, uint index) {
  return index < 64 ? to_bits(value) >> index & 1 : 0;
}
OVERLOAD uint sub_group_ballot_bit_count(uint4 value) { return (uint)popcount(counted(value)); }
OVERLOAD uint sub_group_ballot_inclusive_scan(uint4 value) {
  return (uint)popcount(to_bits(value) & (LANES_BEFORE() << 1 | 1));
}
OVERLOAD uint sub_group_ballot_exclusive_scan(uint4 value) {
  return (uint)popcount(to_bits(value) & LANES_BEFORE());
}
OVERLOAD uint sub_group_ballot_find_lsb(uint4 value) { return (uint)ctz(counted(value)); }
OVERLOAD uint sub_group_ballot_find_msb(uint4 value) { return 63 - (uint)clz(counted(value)); }

// The masks do not depend on which lanes are active or exist.
OVERLOAD uint4 get_sub_group_eq_mask(void) { return to_ballot(1ul << LANE_ID()); }
OVERLOAD uint4 get_sub_group_ge_mask(void) { return to_ballot(all_lanes() & (~0ul << LANE_ID())); }
OVERLOAD uint4 get_sub_group_gt_mask(void) { return to_ballot(all_lanes() & (~1ul << LANE_ID())); }
OVERLOAD uint4 get_sub_group_le_mask(void) { return to_ballot(LANES_BEFORE() << 1 | 1); }
OVERLOAD uint4 get_sub_group_lt_mask(void) { return to_ballot(LANES_BEFORE()); }
