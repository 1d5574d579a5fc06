// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The checks of kernels built with HEDDLE_CHECK=race and divergence: accesses to the same byte by
// work-items that nothing orders, and calls that not all work-items of a group make. One object per
// launch.
//
// Judged is what the program orders and not what has happened to run first: the work-items of a
// group conflict if no barrier is between their accesses, groups always.
#pragma once

#include "compiler/interface/check_record.h"
#include "compiler/interface/kernel_abi.h"
#include "compiler/interface/race_access.h"
#include "runtime/checks/finding.h"
#include "runtime/core/lock.h"
#include "runtime/execution/access_marks.h"
#include "runtime/execution/release_order.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace heddle {

class GroupOrder;

class OrderChecks {
 public:
  // "bytes 4 to 7 of argument 0 'data'".
  using DescribeMemory = std::function<std::string(std::uint64_t address, std::uint64_t bytes,
                                                   std::uint64_t local_memory)>;
  // `width`: work-items of a sub-group.
  OrderChecks(bool finds_races, bool finds_divergence, std::uint32_t width,
              DescribeMemory describe);
  ~OrderChecks();

  // The error of a call that the group's work-items do not make together. Races are collected.
  // Thread-safe. Throws std::bad_alloc.
  checks::Problem check(const abi::CheckHeader& record, const abi::Worker& worker,
                        const abi::Launch& launch);
  // Before a thread runs groups: what their kernel calls for accesses. Throws std::bad_alloc.
  abi::RaceThread& begin(const abi::Worker& worker, const abi::Launch& launch);
  // The races of the launch, one for each pair of places, when no group runs any more; the object
  // is as new then. Throws std::bad_alloc.
  std::vector<checks::Problem> take_races();

  // For the threads' states.
  struct Race {
    AccessMark earlier, later;
    std::uint64_t address, bytes, local_memory;
    bool is_local;
  };
  void report(const Race& race, const abi::Launch& launch);
  std::uint32_t number_of(const char* place);
  // The number of the first one; the others have the next ones.
  std::uint32_t add_sites(const abi::RaceSites& sites);
  // Whether accesses of two groups are, by atomic operations.
  bool are_ordered(const AccessMark& a, const AccessMark& b);
  bool finds_races() const { return finds_races_; }
  bool finds_divergence() const { return finds_divergence_; }
  std::uint32_t width() const { return width_; }
  ReleaseOrder& releases() { return releases_; }

 private:
  GroupOrder& state_of(const abi::Worker& worker);
  void compare_threads() HEDDLE_NOT_ANALYZED; // after the launch
  void compare_page(std::uint64_t number, const std::vector<GroupOrder*>& threads);
  void add_place(const char* place) HEDDLE_REQUIRES(mutex_);

  const bool finds_races_;
  const bool finds_divergence_;
  const std::uint32_t width_;
  const DescribeMemory describe_;
  std::uint64_t serial_;  // unlike that of other objects; changes after the launch
  ReleaseOrder releases_; // of groups
  SleepingMutex mutex_;   // of all below
  std::unordered_map<const abi::Worker*, std::unique_ptr<GroupOrder>>
      states_ HEDDLE_GUARDED_BY(mutex_);
  // Of places and of tables of them.
  std::unordered_map<const void*, std::uint32_t> numbers_ HEDDLE_GUARDED_BY(mutex_);
  std::vector<const char*> places_ HEDDLE_GUARDED_BY(mutex_);
  std::unordered_set<std::uint64_t> reported_ HEDDLE_GUARDED_BY(mutex_); // pairs of places
  std::vector<checks::Problem> races_ HEDDLE_GUARDED_BY(mutex_);
};

// "work-item (3, 0)" by global ids.
std::string name_of_item(const abi::Launch& launch, std::uint64_t group, std::uint32_t item);

} // namespace heddle
