// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/execution/group_order.h"

#include <algorithm>

namespace heddle {
namespace {

using abi::CheckedCall;
using abi::CheckOperand;

const CheckOperand* operands(const abi::CheckHeader& record) {
  return reinterpret_cast<const CheckOperand*>(&record + 1);
}

constexpr std::uint32_t kMostPhase = 1U << 31;

// Bits of GroupShadow::Entry::stamp: what the launch's shadow has of this group.
std::uint32_t known_bit(AccessKind kind) { return 1U << static_cast<unsigned>(kind); }

bool is_known(std::uint32_t stamp, AccessKind kind) {
  return (stamp & (known_bit(kind) | known_bit(AccessKind::write))) != 0;
}

AccessKind kind_of(std::uint64_t order) {
  return (order & abi::kAccessWrites) != 0 ? AccessKind::atomic_write : AccessKind::atomic_read;
}

} // namespace

void GroupOrder::begin_group(std::uint64_t group) {
  group_ = group;
  std::uint64_t id[3];
  for (int d = 0; d < 3; ++d)
    id[d] = worker_.current_group[d];
  std::uint64_t count = 1;
  for (int d = 0; d < 3; ++d)
    count *=
        std::min(launch_->local_size[d], launch_->global_size[d] - id[d] * launch_->local_size[d]);
  if (last_phase_ >= kMostPhase) {
    last_phase_ = 0;
    shadow_ = GroupShadow();
  }
  shadow_.begin_group();
  const Item first{last_phase_ + 1, last_phase_ + 1, {}};
  last_phase_ = first.local_phase;
  items_.assign(count, first);
  meetings_.begin_group(static_cast<std::uint32_t>(count));
  copies_.clear();
  item_releases_.clear();
  order_ = ReleaseState();
}

std::string GroupOrder::add(const abi::CheckHeader& record, const abi::Launch& launch) {
  const auto& now = worker_.current_group;
  const auto group = (now[2] * launch.group_count[1] + now[1]) * launch.group_count[0] + now[0];
  if (group != group_ || launch_ != &launch) {
    launch_ = &launch;
    begin_group(group);
  }
  const auto item = static_cast<std::uint32_t>(operands(record)[record.operand_count - 1].value);
  if (item >= items_.size())
    return "";
  if (record.call == CheckedCall::meeting)
    return add_meeting(record, item);
  if (record.call == CheckedCall::ended)
    return meetings_.end(item, [&](std::uint32_t i) { return name_of(i); });
  if (record.call == CheckedCall::fence) {
    item_releases_.add_fence(operands(record)[0].value, item, items_[item].order);
    checks_.releases().add_fence(operands(record)[0].value, group_, order_);
  } else {
    add_access(record, item);
  }
  return "";
}

void GroupOrder::add_access(const abi::CheckHeader& record, std::uint32_t item) {
  const auto* given = operands(record);
  const auto address = given[0].value;
  const auto bytes = given[1].value;
  if (bytes == 0 || is_private(address))
    return;
  auto kind = AccessKind::read;
  StoredValue value;
  std::uint64_t bits = 0;
  const bool is_shared = !is_local(address);
  if (record.call == CheckedCall::ordered_atomic) {
    const auto order = given[2].value;
    kind = kind_of(order);
    item_releases_.add_atomic(address, order, item, items_[item].order);
    if (is_shared)
      checks_.releases().add_atomic(address, order, group_, order_);
  } else if (record.call == CheckedCall::ordered_store) {
    kind = AccessKind::write;
    value.bits = given[2].value != 0 ? StoredValue::kKnown : 0;
    bits = given[3].value;
  }
  const auto phase = is_shared ? items_[item].global_phase : items_[item].local_phase;
  apply(
      {address, bytes, AccessMark(kind, item, site_of(record.place), group_), phase, value, bits});
}

std::string GroupOrder::add_meeting(const abi::CheckHeader& record, std::uint32_t number) {
  const auto* given = operands(record);
  const auto order = given[2].value;
  auto arrival = meetings_.arrive(record, [&](std::uint32_t i) { return name_of(i); });
  if (!arrival.error.empty() && checks_.finds_divergence())
    return arrival.error;
  if (!checks_.finds_races())
    return "";
  auto& item = items_[number];
  if (arrival.is_first && given[3].value != abi::kNoCopy) {
    const Copy copy{record.place, copy_sides(static_cast<CheckedCall>(given[3].value),
                                             given + kMeetingArguments)};
    if (!copy.sides.is_empty()) {
      add_copy(copy, item);
      copies_.push_back(copy);
    }
  }
  item.local_phase += (order & abi::kOrdersLocal) != 0;
  item.global_phase += (order & abi::kOrdersGlobal) != 0;
  last_phase_ = std::max({last_phase_, item.local_phase, item.global_phase});
  if ((order & abi::kOrdersDevice) != 0)
    checks_.releases().add_fence(abi::kAccessAcquires | abi::kAccessReleases, group_, order_);
  if (!arrival.is_last)
    return "";
  if ((order & abi::kWaitsForCopies) != 0)
    copies_.clear();
  else if ((order & (abi::kOrdersLocal | abi::kOrdersGlobal)) != 0)
    for (const auto& copy : copies_) // which still are not complete behind a barrier
      add_copy(copy, item);
  return "";
}

void GroupOrder::add_copy(const Copy& copy, const Item& phases) {
  const auto site = site_of(copy.place);
  add_side(copy.sides.from, site, phases);
  add_side(copy.sides.to, site, phases);
}

void GroupOrder::add_side(const CopySide& side, std::uint32_t site, const Item& phases) {
  const auto base = static_cast<WideInteger>(side.pointer.value) + side.offset;
  const AccessMark mark(side.writes ? AccessKind::write : AccessKind::read, AccessMark::kMostItem,
                        site, group_);
  for (WideInteger plane = 0; plane < side.planes; ++plane)
    for (WideInteger line = 0; line < side.lines; ++line) {
      const auto address =
          static_cast<std::uint64_t>(base + plane * side.plane_step + line * side.line_step);
      apply({address,
             static_cast<std::uint64_t>(side.line),
             mark,
             is_local(address) ? phases.local_phase : phases.global_phase,
             {},
             0});
    }
}

void GroupOrder::apply(const Access& access) {
  const bool local = is_local(access.address);
  shadow_.for_each(
      access.address, access.bytes,
      [&](GroupShadow::Entry& entry, std::uint64_t address, unsigned bytes, std::uint64_t offset) {
        StoredValue value;
        if (access.value.bits != 0)
          value.bits = StoredValue::kKnown | (access.bits >> 8 * offset &
                                              (bytes == 1 ? 0xff : std::uint64_t{0xffffffff}));
        apply_to(entry, address, bytes, value, access, local);
      });
}

void GroupOrder::apply_to(GroupShadow::Entry& entry, std::uint64_t address, unsigned bytes,
                          StoredValue value, const Access& access, bool is_local) {
  if (entry.phase != access.phase) {
    entry.phase = access.phase;
    entry.cell = AccessCell();
  }
  const auto width = checks_.width();
  const auto item = access.mark.item();
  entry.cell.add(
      access.mark, value, [&](const AccessMark& mark) { return mark.item() / width; },
      [&](const AccessMark& earlier) {
        return item < items_.size() && earlier.item() < items_.size() &&
               item_releases_.has_acquired(item, items_[item].order) &&
               item_releases_.has_released(earlier.item());
      },
      [&](const AccessMark& earlier) { report(earlier, access, address, bytes, is_local); });
  if (!is_local)
    apply_to_launch(entry, address, bytes, value, access);
}

// The group's first access of each kind stands for all.
void GroupOrder::apply_to_launch(GroupShadow::Entry& entry, std::uint64_t address, unsigned bytes,
                                 StoredValue value, const Access& access) {
  const auto kind = access.mark.kind();
  if (launch_->group_count[0] * launch_->group_count[1] * launch_->group_count[2] == 1 ||
      is_known(entry.stamp, kind))
    return;
  entry.stamp |= known_bit(kind);
  LaunchShadow::visit(page_of(address), address, bytes, value, [&](auto& cell, StoredValue part) {
    cell.add(
        access.mark, part, [](const AccessMark& mark) { return mark.group(); },
        [&](const AccessMark& earlier) {
          return checks_.releases().has_acquired(group_, order_) &&
                 checks_.releases().has_released(earlier.group());
        },
        [&](const AccessMark& earlier) { report(earlier, access, address, bytes, false); });
  });
}

void GroupOrder::report(AccessMark earlier, const Access& access, std::uint64_t address,
                        unsigned bytes, bool is_local) {
  const auto [low, high] = std::minmax({earlier.site(), access.mark.site()});
  if (!reported_.insert(std::uint64_t{high} << 32 | low).second)
    return;
  const bool is_small = access.bytes <= 16; // all of the access, which is what the line has
  checks_.report({earlier, access.mark, is_small ? access.address : address,
                  is_small ? access.bytes : bytes,
                  reinterpret_cast<std::uintptr_t>(worker_.local_memory), is_local},
                 *launch_);
}

std::uint32_t GroupOrder::site_of(const char* place) {
  auto& site = sites_[reinterpret_cast<std::uintptr_t>(place) / 8 % kSites];
  if (site.place != place)
    site = {place, checks_.number_of(place)};
  return site.number;
}

LaunchShadow::Page& GroupOrder::page_of(std::uint64_t address) {
  const auto number = address / LaunchShadow::kPageBytes;
  auto& slot = pages_[number % kPages];
  if (slot.number != number)
    slot = {number, &checks_.shadow().page(address)};
  return *slot.page;
}

} // namespace heddle
