// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The part of OrderChecks that belongs to one thread: the groups that it runs.
#pragma once

#include "compiler/interface/race_access.h"
#include "runtime/execution/copy_sides.h"
#include "runtime/execution/group_meetings.h"
#include "runtime/execution/order_checks.h"
#include "runtime/execution/race_shadow.h"

#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

namespace heddle {

class GroupOrder : private abi::RaceThread {
 public:
  GroupOrder(OrderChecks& checks, const abi::Worker& worker);

  // Before the thread runs groups of the launch: what their kernel calls for accesses.
  abi::RaceThread& begin(const abi::Launch& launch) {
    launch_ = &launch;
    return *this;
  }
  // What a work-item does otherwise; an error of divergence, or nothing. Throws std::bad_alloc.
  checks::Problem add(const abi::CheckHeader& record, const abi::Launch& launch);

  // For the comparison of threads.
  const abi::Launch& launch() const { return *launch_; }
  RaceShadow& shadow() { return shadow_; }
  // Calls visit(mark, value) for each access to the entry that other groups may conflict with.
  template <class Visit>
  void for_each_access(RaceShadow::Page& page, std::size_t index, Visit visit) {
    const auto last = page.last(index);
    if (last.is_detailed())
      page.details(index).groups.for_each(visit);
    else if (last.bits != 0)
      visit(last.mark(group_of(last.epoch())),
            last.kind() == AccessKind::write ? page.stored_value(index) : StoredValue());
  }

 private:
  // The epochs of a work-item now, by is_local().
  static constexpr unsigned kGlobal = 0, kLocal = 1;
  struct Epochs {
    std::uint32_t of[2];
  };
  // Consecutive groups with as many epochs each.
  struct GroupRun {
    std::uint64_t group;
    std::uint32_t epoch;  // the first one
    std::uint32_t epochs; // of each group; 0: not known yet
  };
  // Accesses of one kind to consecutive bytes. The mark has no epoch.
  struct Access {
    std::uint64_t address;
    std::uint64_t bytes;
    std::uint64_t mark;
    Epochs epochs;
    std::uint64_t value;
  };
  // Made by the group, until work-items wait for it.
  struct Copy {
    const char* place;
    CopySides sides;
  };

  static void access_of_kernel(abi::RaceThread* thread, std::uint64_t address, std::uint64_t what,
                               std::uint64_t value, std::uint64_t item,
                               const abi::RaceSites* sites);
  static void meet_of_kernel(abi::RaceThread* thread, std::uint64_t order, std::uint64_t item);
  bool is_in_group() const {
    const auto& now = worker_.current_group;
    return now[0] == group_id_[0] && now[1] == group_id_[1] && now[2] == group_id_[2];
  }
  bool enter(const abi::RaceSites* sites);
  void begin_group();
  void note_group(std::uint64_t group, std::uint32_t epoch);
  std::uint64_t group_of(std::uint32_t epoch) const;
  void add_atomic(std::uint64_t address, std::uint64_t order, std::uint32_t item);
  void add_fence(std::uint64_t order, std::uint32_t item);
  void add_access(const abi::CheckHeader& record, std::uint32_t item);
  void begin_meetings();
  checks::Problem add_meeting(const abi::CheckHeader& record, std::uint32_t item);
  void add_barrier(std::uint64_t order, std::uint32_t item, bool is_last);
  void add_copy(const Copy& copy, const Epochs& epochs);
  void add_side(const CopySide& side, std::uint32_t site, const Epochs& epochs);
  // In parts that lie in one page.
  void apply(Access access);
  void apply_in(RaceShadow::Page& page, const Access& access);
  void apply_to_details(RaceShadow::Page& page, std::size_t index, LastAccess by, StoredValue value,
                        const Access& access);
  bool is_ordered(const AccessMark& earlier, std::uint32_t item);
  std::uint64_t acquired_bit() {
    return order_.has_acquired || order_.read != 0 ? find_acquired_bit() : 0;
  }
  std::uint64_t find_acquired_bit();
  // Whether other groups' accesses are no concern.
  bool is_isolated(const RaceShadow::Page& page) const { return page.is_local() || is_alone_; }
  bool is_in(std::uint64_t address, unsigned bound) const {
    return address >= worker_.bounds[bound] && address < worker_.bounds[bound + 1];
  }
  bool is_local(std::uint64_t address) const { return is_in(address, 0); }
  bool is_private(std::uint64_t address) const { return is_in(address, 2) || is_in(address, 4); }
  RaceShadow::Page& page_of(std::uint64_t address);
  std::string name_of(std::uint32_t item) const { return name_of_item(*launch_, group_, item); }
  void report(AccessMark earlier, AccessMark later, const Access& access, RaceShadow::Page& page,
              std::size_t index);

  OrderChecks& checks_;
  const abi::Worker& worker_;
  const abi::Launch* launch_ = nullptr;
  std::uint64_t group_id_[3] = {~std::uint64_t{0}, 0, 0};
  const abi::RaceSites* sites_ = nullptr;
  std::uint32_t first_site_ = 0; // of sites_
  bool is_alone_ = false;        // the launch has one group
  std::uint32_t met_ = 0;        // work-items that have reached the barrier
  const bool pairs_;             // whether each work-item acts by itself
  std::vector<Epochs> epochs_;   // by work-item

  // Direct-mapped cache of pages.
  static constexpr std::size_t kSlots = 512;
  struct Slot {
    std::uint64_t number = ~std::uint64_t{0};
    RaceShadow::Page* page = nullptr;
  };
  Slot slots_[kSlots];

  std::uint64_t group_ = 0;       // linear
  std::uint32_t first_epoch_ = 0; // of the group
  std::uint32_t last_epoch_ = 0;
  std::uint64_t local_memory_ = 0;
  std::vector<GroupRun> runs_;
  RaceShadow shadow_;
  bool has_meetings_ = false; // meetings_ is that of the group
  GroupMeetings meetings_;
  std::vector<Copy> copies_;
  std::vector<ReleaseState> item_order_; // empty: of no work-item
  ReleaseOrder item_releases_;
  ReleaseState order_; // of the group among groups
  std::unordered_set<std::uint64_t> reported_;
};

} // namespace heddle
