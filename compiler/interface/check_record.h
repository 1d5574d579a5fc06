// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The record that a kernel built with HEDDLE_CHECK passes to
// abi::Worker::check for a call of a builtin or an access to memory: what it is, the source
// location and the operands.
//
// A record is a CheckHeader and `operand_count` operands. Of memory checks: the call's arguments in
// order without events, then, for a typed copy, the size of an element in bytes, then, for a
// reservation, the returned id. For an access: the pointer, the bytes (0: of these nothing is
// checked), the alignment, and perhaps one plus the lane of the sub-group, 0 if that is not known.
// Of the checks of races and divergence: see CheckedCall; the last operand is the linear local id
// of the work-item.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::abi {

enum class CheckedCall : std::uint32_t {
  copy,
  gather,  // async_work_group_strided_copy to local memory
  scatter, // the same from local memory
  copy_2d,
  copy_3d,
  read_packet,
  write_packet,
  read_reserved,
  write_reserved,
  reserve_read,
  reserve_write,
  sub_group_reserve_read,
  sub_group_reserve_write,
  work_group_reserve_read,
  work_group_reserve_write,
  commit_read,
  commit_write,
  sub_group_commit_read,
  sub_group_commit_write,
  work_group_commit_read,
  work_group_commit_write,
  load,
  store,
  atomic,        // reads and writes
  division,      // of integers: whether the divisor is zero; else the quotient overflows
  uninitialized, // UninitializedUse, the variable's text ("the local variable 'tile'") or null
  // Of races and divergence.
  ordered_load,   // pointer, bytes
  ordered_store,  // pointer, bytes, whether the value is known, its bits
  ordered_atomic, // pointer, bytes, AccessOrder
  fence,          // AccessOrder
  // Calls that all work-items of the group must make: the number of the call in the source, the
  // address of its name, MeetingOrder, the CheckedCall of a copy or kNoCopy, the address of its
  // events or 0, their number, then the arguments that must be equal (of copies as above). An event
  // is a word: of a copy it is the argument, and becomes the result.
  meeting,
  ended, // the work-item has left the kernel
  index, // of an element of an array or a vector: as an access, the index and 1
};

// What a value decides that depends on memory which was never written.
enum class UninitializedUse : std::uint32_t {
  branch,
  load_address,
  store_address,
  stored_value,
  divisor,
};

inline constexpr std::uint64_t kNoCopy = ~std::uint64_t{0};

// Bits of what an atomic operation or a fence does.
enum AccessOrder : std::uint64_t {
  kAccessReads = 1,
  kAccessWrites = 2,
  kAccessAcquires = 4,
  kAccessReleases = 8,
};

// Bits of what a call orders that all work-items of the group make.
enum MeetingOrder : std::uint64_t {
  kOrdersLocal = 1,  // accesses of the group to local memory
  kOrdersGlobal = 2, // ... to global memory
  kOrdersDevice = 4, // it is a fence for other groups, too
  kWaitsForCopies = 8,
};

// Which work-items check a call: each one, or one of the sub-group or the work-group.
enum class CheckScope : std::uint8_t { work_item, sub_group, work_group };

// In the order of CheckedCall.
struct CheckedCallInfo {
  const char* name;   // in OpenCL C, or of the access
  const char* symbol; // the function that Clang calls; empty for overloaded functions, whose names
                      // are mangled
  CheckScope scope;
};
inline constexpr CheckedCallInfo kCheckedCalls[] = {
    {"async_work_group_copy", "", CheckScope::work_group},
    {"async_work_group_strided_copy", "", CheckScope::work_group},
    {"async_work_group_strided_copy", "", CheckScope::work_group},
    {"async_work_group_copy_2D2D", "", CheckScope::work_group},
    {"async_work_group_copy_3D3D", "", CheckScope::work_group},
    {"read_pipe", "__read_pipe_2", CheckScope::work_item},
    {"write_pipe", "__write_pipe_2", CheckScope::work_item},
    {"read_pipe", "__read_pipe_4", CheckScope::work_item},
    {"write_pipe", "__write_pipe_4", CheckScope::work_item},
    {"reserve_read_pipe", "__reserve_read_pipe", CheckScope::work_item},
    {"reserve_write_pipe", "__reserve_write_pipe", CheckScope::work_item},
    {"sub_group_reserve_read_pipe", "__sub_group_reserve_read_pipe", CheckScope::sub_group},
    {"sub_group_reserve_write_pipe", "__sub_group_reserve_write_pipe", CheckScope::sub_group},
    {"work_group_reserve_read_pipe", "__work_group_reserve_read_pipe", CheckScope::work_group},
    {"work_group_reserve_write_pipe", "__work_group_reserve_write_pipe", CheckScope::work_group},
    {"commit_read_pipe", "__commit_read_pipe", CheckScope::work_item},
    {"commit_write_pipe", "__commit_write_pipe", CheckScope::work_item},
    {"sub_group_commit_read_pipe", "__sub_group_commit_read_pipe", CheckScope::sub_group},
    {"sub_group_commit_write_pipe", "__sub_group_commit_write_pipe", CheckScope::sub_group},
    {"work_group_commit_read_pipe", "__work_group_commit_read_pipe", CheckScope::work_group},
    {"work_group_commit_write_pipe", "__work_group_commit_write_pipe", CheckScope::work_group},
    {"load", "", CheckScope::work_item},
    {"store", "", CheckScope::work_item},
    {"atomic operation", "", CheckScope::work_item},
    {"division", "", CheckScope::work_item},
    {"use", "", CheckScope::work_item},
    {"load", "", CheckScope::work_item},
    {"store", "", CheckScope::work_item},
    {"atomic operation", "", CheckScope::work_item},
    {"fence", "", CheckScope::work_item},
    {"call", "", CheckScope::work_item},
    {"end", "", CheckScope::work_item},
    {"index", "", CheckScope::work_item},
};
static_assert(sizeof kCheckedCalls / sizeof *kCheckedCalls ==
              static_cast<std::size_t>(CheckedCall::index) + 1);

struct CheckHeader {
  // Three texts, one behind the other: "FILE:LINE", the function, and the checks that leave it out
  // ("race,memory").
  const char* place;
  CheckedCall call;
  std::uint32_t operand_count;
};

struct CheckOperand {
  std::uint64_t value; // 32-bit integers are zero-extended
  // For a pointer that is known to be based on a kernel argument: the argument's index plus one.
  // For an offset in a variable, or an index: the address of a CheckedObject. Otherwise 0.
  std::uint64_t base;
};

// Bases below are those of arguments.
inline constexpr std::uint64_t kFirstObject = std::uint64_t{1} << 16;

struct CheckedObject {
  std::uint64_t bytes; // or the number of right indices
  const char* what;    // "the local variable 'tile'"; "'int[4]'"
};

// Those behind the header.
inline const CheckOperand* operands(const CheckHeader& record) {
  return reinterpret_cast<const CheckOperand*>(&record + 1);
}

static_assert(sizeof(CheckHeader) == 16 && sizeof(CheckOperand) == 16);
static_assert(offsetof(CheckHeader, call) == 8 && offsetof(CheckHeader, operand_count) == 12);

} // namespace heddle::abi
