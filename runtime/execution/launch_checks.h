// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The checks of kernels built with HEDDLE_CHECK=memory, race, divergence or uninitialized. Of
// memory: accesses and async copies stay within the memory of their arguments and variables, and
// pipe reservations are used as OpenCL C 6.15.14 requires. The others are in order_checks.h. One
// object per launch; kernels call it through abi::Worker::check.
#pragma once

#include "compiler/interface/check_record.h"
#include "compiler/interface/metadata.h"
#include "runtime/checks/finding.h"
#include "runtime/core/lock.h"
#include "runtime/execution/copy_sides.h"
#include "runtime/execution/order_checks.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace heddle {

class AllocationMap;

// A memory block that a kernel may access.
struct MemoryBlock {
  std::uint64_t begin = 0; // address, or offset in the group's local memory; 0: null
  std::uint64_t bytes = 0;
  bool is_local = false;
  std::uint64_t argument = 0; // the argument's index plus one; 0 for a variable
  bool is_image = false;      // only messages tell of it: accesses to images check themselves
  std::string what;           // "argument 2 'tile'"
};

class LaunchChecks {
 public:
  // Memory that kernels reach by pointers in memory (OpenCL API 5.6), beside arguments and
  // variables.
  struct Indirect {
    const AllocationMap& allocations; // of the context, which the launch keeps alive
    bool allows_system;               // addresses in no known memory may be the host's
  };

  // Adds the variables of the metadata to the blocks. Throws std::bad_alloc.
  LaunchChecks(std::vector<MemoryBlock> blocks, Indirect indirect, const KernelMetadata& kernel,
               const std::byte* program_scope);

  // For a block that the kernel of this launch enqueues: its memory is reached by captured
  // pointers, and `local_sizes` are its local arguments. Throws std::bad_alloc.
  std::unique_ptr<LaunchChecks> for_block(const KernelMetadata& block,
                                          const std::byte* program_scope,
                                          std::span<const std::uint64_t> local_sizes) const;

  // abi::Launch::bounds.
  const abi::MemoryBounds* bounds() const noexcept { return bounds_.data(); }
  // Whether the call is valid, or its error suppressed; if not, `finding` is set. Thread-safe.
  bool passes(const abi::CheckHeader& record, const abi::Worker& worker, const abi::Launch& launch,
              std::optional<checks::Finding>& finding) noexcept;
  // Before a thread runs groups: what their kernel calls for accesses.
  abi::RaceThread& begin(const abi::Worker& worker, const abi::Launch& launch) noexcept;
  // That of kernels which run without checks.
  static abi::RaceThread& ignored_accesses() noexcept;
  // Called after the last work-item: reservations that were never committed, unless the launch has
  // failed, and races, which are forgotten then. Throws std::bad_alloc.
  std::vector<checks::Finding> take_findings(bool has_failed);

 private:
  checks::Problem check(const abi::CheckHeader& record, std::uint64_t local_memory);
  std::string check_access(const abi::CheckHeader& record, std::uint64_t local_memory) const;
  static std::string check_object(const abi::CheckHeader& record);
  static std::string check_uninitialized(const abi::CheckHeader& record);
  std::string check_copy(const abi::CheckHeader& record, std::uint64_t local_memory) const;
  std::string check_side(const CopySide& side, std::uint64_t local_memory) const;
  // `other` is the place of what the call does not agree with.
  std::string check_pipe(const abi::CheckHeader& record, std::uint64_t local_memory,
                         const char*& other);
  checks::Problem uncommitted();

  std::string describe(std::uint64_t address, std::uint64_t bytes,
                       std::uint64_t local_memory) const;

  // An active reservation.
  struct Key {
    std::uint64_t ring;
    std::uint64_t id;
    bool writes;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const noexcept {
      return std::hash<std::uint64_t>()(key.ring ^ key.id * 2 ^ (key.writes ? 1 : 0));
    }
  };
  struct Reservation {
    const char* place; // in the program's data, which the launch keeps alive
    abi::CheckedCall call;
  };

  const std::string kernel_; // its name
  std::vector<MemoryBlock> blocks_;
  std::vector<abi::MemoryBounds> bounds_;
  const Indirect indirect_;
  std::unique_ptr<OrderChecks> order_; // null without checks of races and divergence
  SleepingMutex mutex_;
  // Several reservations of no packets may have the same id.
  std::unordered_multimap<Key, Reservation, KeyHash> active_ HEDDLE_GUARDED_BY(mutex_);
  std::atomic<bool> lost_{false}; // memory was exhausted: the active reservations are unknown
};

} // namespace heddle
