// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The part of OrderChecks that belongs to one thread: the group that it runs.
#pragma once

#include "runtime/execution/copy_sides.h"
#include "runtime/execution/group_meetings.h"
#include "runtime/execution/group_shadow.h"
#include "runtime/execution/order_checks.h"

#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

namespace heddle {

class GroupOrder {
 public:
  GroupOrder(OrderChecks& checks, const abi::Worker& worker) : checks_(checks), worker_(worker) {}

  // What a work-item does; an error of divergence, or empty. Throws std::bad_alloc.
  std::string add(const abi::CheckHeader& record, const abi::Launch& launch);

 private:
  struct Item {
    std::uint32_t local_phase = 0;
    std::uint32_t global_phase = 0;
    ReleaseState order;
  };
  // Accesses of one kind to consecutive bytes.
  struct Access {
    std::uint64_t address;
    std::uint64_t bytes;
    AccessMark mark;
    std::uint32_t phase;
    StoredValue value; // of up to 8 bytes, whose bits are in `bits`
    std::uint64_t bits;
  };
  // Made by the group, until work-items wait for it.
  struct Copy {
    const char* place;
    CopySides sides;
  };

  void begin_group(std::uint64_t group);
  void add_access(const abi::CheckHeader& record, std::uint32_t item);
  std::string add_meeting(const abi::CheckHeader& record, std::uint32_t item);
  void add_copy(const Copy& copy, const Item& phases);
  void add_side(const CopySide& side, std::uint32_t site, const Item& phases);
  void apply(const Access& access);
  void apply_to(GroupShadow::Entry& entry, std::uint64_t address, unsigned bytes, StoredValue value,
                const Access& access, bool is_local);
  void apply_to_launch(GroupShadow::Entry& entry, std::uint64_t address, unsigned bytes,
                       StoredValue value, const Access& access);
  bool is_in(std::uint64_t address, unsigned bound) const {
    return address >= worker_.bounds[bound] && address < worker_.bounds[bound + 1];
  }
  bool is_local(std::uint64_t address) const { return is_in(address, 0); }
  bool is_private(std::uint64_t address) const { return is_in(address, 2) || is_in(address, 4); }
  std::uint32_t site_of(const char* place);
  LaunchShadow::Page& page_of(std::uint64_t address);
  std::string name_of(std::uint32_t item) const { return name_of_item(*launch_, group_, item); }
  void report(AccessMark earlier, const Access& access, std::uint64_t address, unsigned bytes,
              bool is_local);

  OrderChecks& checks_;
  const abi::Worker& worker_;
  const abi::Launch* launch_ = nullptr;
  std::uint64_t group_ = ~std::uint64_t{0}; // linear
  std::vector<Item> items_;
  std::uint32_t last_phase_ = 0;
  GroupShadow shadow_;
  GroupMeetings meetings_;
  std::vector<Copy> copies_;
  ReleaseOrder item_releases_;
  ReleaseState order_; // of the group among groups
  std::unordered_set<std::uint64_t> reported_;

  // Direct-mapped caches of what the launch knows.
  static constexpr std::size_t kSites = 64, kPages = 64;
  struct Site {
    const char* place = nullptr;
    std::uint32_t number = 0;
  };
  struct PageSlot {
    std::uint64_t number = ~std::uint64_t{0};
    LaunchShadow::Page* page = nullptr;
  };
  Site sites_[kSites];
  PageSlot pages_[kPages];
};

} // namespace heddle
