// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The accesses of GroupOrder: each is compared with what the shadow memory has of earlier ones.
#include "runtime/execution/group_order.h"
#include "runtime/execution/worker_thread.h"

#include <algorithm>
#include <new>

namespace heddle {
namespace {

// The bits of LastAccess but for the epoch.
std::uint64_t mark_bits(std::uint64_t kind, std::uint64_t item, std::uint32_t site) {
  return kind | item << LastAccess::kItemShift |
         std::uint64_t{std::min(site, AccessMark::kMaxSite)} << LastAccess::kSiteShift;
}

std::uint64_t epoch_bits(std::uint32_t epoch) {
  return std::uint64_t{epoch} << LastAccess::kEpochShift;
}

// `by`, which has acquired only if both have.
LastAccess replaced(LastAccess last, std::uint64_t by) {
  return {by & (last.bits | ~LastAccess::kAcquired)};
}

bool never(const AccessMark& /*earlier*/) { return false; }
std::uint32_t group_of_mark(const AccessMark& mark) { return mark.group(); }

// Adds an access where that needs no details. `is_isolated`: of other epochs nothing is to be
// known. `first_epoch`: of the group. `pairs`: whether each work-item acts by itself.
[[gnu::always_inline]] inline bool add_simply(LastAccess& last, std::uint32_t& value,
                                              std::uint64_t by, bool is_isolated,
                                              std::uint32_t first_epoch, bool pairs) {
  if (last.bits == 0) {
    last.bits = by;
    return true;
  }
  const auto kind = LastAccess{by}.kind();
  const auto difference = last.bits ^ by;
  const bool is_other_epoch = (difference & LastAccess::kEpoch) != 0;
  if (is_other_epoch && is_isolated) {
    last.bits = by;
    return true;
  }
  if (last.is_detailed())
    return !is_other_epoch && last.kind() == AccessKind::read && kind == AccessKind::read;
  if (!is_other_epoch && kind != AccessKind::write && kind == last.kind() && pairs) {
    if (!last.has_second() && (difference & LastAccess::kItem) != 0) {
      last = {replaced({by}, last.bits).bits | LastAccess::kHasSecond};
      value = LastAccess{by}.as_second();
    }
    return true;
  }
  if (is_other_epoch ? last.epoch() >= first_epoch
                     : (difference & LastAccess::kItem) == 0 && !last.has_second()) {
    if (covers(kind, last.kind())) {
      last = replaced(last, by);
      return true;
    }
    return !is_other_epoch && covers(last.kind(), kind);
  }
  return false;
}

} // namespace

// The shadow is changed with signals of termination on: a launch that ends by one has no races.
HEDDLE_NO_THREAD_SANITIZER void
GroupOrder::access_of_kernel(abi::RaceThread* thread, std::uint64_t address, std::uint64_t what,
                             std::uint64_t value, std::uint64_t item, const abi::RaceSites* sites) {
  auto& self = *static_cast<GroupOrder*>(thread);
  if ((!self.is_in_group() || sites != self.sites_) && !self.enter(sites))
    return;
  if (item >= self.epochs_.size())
    return;
  const auto site = static_cast<std::uint32_t>(what >> abi::kRaceSiteShift & abi::kMaxRaceSite);
  auto mark = mark_bits(what & (LastAccess::kKind | LastAccess::kValueIsKnown), item,
                        self.first_site_ + site);
  const auto& epochs = self.epochs_[item];
  const auto bytes = what >> abi::kRaceBytesShift;
  if ((what & abi::kRaceOrderMask) != 0) {
    const WorkerThread::RuntimeCall call;
    try {
      if (!self.is_private(address))
        self.add_atomic(address, (what & abi::kRaceOrderMask) >> abi::kRaceOrderShift,
                        static_cast<std::uint32_t>(item));
    } catch (const std::bad_alloc&) {
      return;
    }
  }
  mark |= self.acquired_bit();
  const auto& slot = self.slots_[address / RaceShadow::kPageBytes % kSlots];
  const auto offset = address % RaceShadow::kPageBytes;
  if (slot.number == address / RaceShadow::kPageBytes && offset + bytes <= RaceShadow::kPageBytes &&
      ((offset | bytes) & (slot.page->unit() - 1)) == 0) {
    auto& page = *slot.page;
    const bool isolated = self.is_isolated(page);
    const auto by = mark | epoch_bits(epochs.of[page.is_local()]);
    const auto shift = page.unit_shift();
    auto index = offset >> shift;
    for (const auto end = index + (bytes >> shift);; ++index) {
      if (index == end)
        return;
      if (!add_simply(page.last(index), page.value(index), by, isolated, self.first_epoch_,
                      self.pairs_))
        break;
      if ((what & abi::kRaceValueIsKnown) != 0) {
        page.value(index) = static_cast<std::uint32_t>(shift == 0 ? value & 0xff : value);
        value = shift == 0 ? value >> 8 : value >> 32;
      }
    }
    const auto done = (index << shift) - offset;
    const WorkerThread::RuntimeCall call;
    try {
      self.apply_in(page, {address + done, bytes - done, mark, epochs, value});
    } catch (const std::bad_alloc&) { // the access is not known
    }
    return;
  }
  const WorkerThread::RuntimeCall call;
  try {
    self.apply({address, bytes, mark, epochs, value});
  } catch (const std::bad_alloc&) { // the access is not known
  }
}

std::uint64_t GroupOrder::find_acquired_bit() {
  return checks_.releases().has_acquired(group_, order_) ? LastAccess::kAcquired : 0;
}

// A copy of a size that is known only now.
void GroupOrder::add_access(const abi::CheckHeader& record, std::uint32_t item) {
  const auto* given = operands(record);
  const auto kind =
      record.call == abi::CheckedCall::ordered_load ? AccessKind::read : AccessKind::write;
  apply({given[0].value, given[1].value,
         mark_bits(static_cast<std::uint64_t>(kind), item, checks_.number_of(record.place)) |
             acquired_bit(),
         epochs_[item], 0});
}

void GroupOrder::add_copy(const Copy& copy, const Epochs& epochs) {
  const auto site = checks_.number_of(copy.place);
  add_side(copy.sides.from, site, epochs);
  add_side(copy.sides.to, site, epochs);
}

void GroupOrder::add_side(const CopySide& side, std::uint32_t site, const Epochs& epochs) {
  const auto base = static_cast<WideInteger>(side.pointer.value) + side.offset;
  const auto kind = side.writes ? AccessKind::write : AccessKind::read;
  const auto mark =
      mark_bits(static_cast<std::uint64_t>(kind), AccessMark::kMaxItem, site) | acquired_bit();
  for (WideInteger plane = 0; plane < side.planes; ++plane)
    for (WideInteger line = 0; line < side.lines; ++line)
      apply({static_cast<std::uint64_t>(base + plane * side.plane_step + line * side.line_step),
             static_cast<std::uint64_t>(side.line), mark, epochs, 0});
}

void GroupOrder::apply(Access access) {
  if (is_private(access.address))
    return;
  while (access.bytes != 0) {
    auto& page = page_of(access.address);
    auto part = access;
    part.bytes =
        std::min(access.bytes, RaceShadow::kPageBytes - access.address % RaceShadow::kPageBytes);
    apply_in(page, part);
    access.address += part.bytes;
    access.bytes -= part.bytes;
    access.value = part.bytes < 8 ? access.value >> 8 * part.bytes : 0;
  }
}

void GroupOrder::apply_in(RaceShadow::Page& page, const Access& access) {
  if (((access.address | access.bytes) & (page.unit() - 1)) != 0)
    page.split();
  const auto unit = page.unit();
  const auto by = access.mark | epoch_bits(access.epochs.of[page.is_local()]);
  const bool isolated = is_isolated(page);
  const bool is_known = (by & LastAccess::kValueIsKnown) != 0;
  auto index = access.address % RaceShadow::kPageBytes / unit;
  auto rest = access.value;
  for (auto left = access.bytes; left != 0; left -= unit, ++index) {
    const auto value = static_cast<std::uint32_t>(unit == 1 ? rest & 0xff : rest);
    rest >>= 8 * unit;
    if (!add_simply(page.last(index), page.value(index), by, isolated, first_epoch_, pairs_))
      apply_to_details(page, index, {by}, {is_known ? StoredValue::kKnown | value : 0}, access);
    else if (is_known)
      page.value(index) = value;
  }
}

bool GroupOrder::is_ordered(const AccessMark& earlier, std::uint32_t item) {
  return item < item_order_.size() && earlier.item() < item_order_.size() &&
         item_releases_.has_acquired(item, item_order_[item]) &&
         item_releases_.has_released(earlier.item());
}

void GroupOrder::apply_to_details(RaceShadow::Page& page, std::size_t index, LastAccess by,
                                  StoredValue value, const Access& access) {
  auto& details = page.details(index);
  auto& last = page.last(index);
  const auto mark = by.mark(group_);
  const auto width = checks_.width();
  const auto actor = [&](const AccessMark& known) { return known.item() / width; };
  const auto report_earlier = [&](const AccessMark& earlier) {
    report(earlier, mark, access, page, index);
  };
  if (!last.is_detailed()) {
    details = {};
    const auto add_last = [&](const AccessMark& known, StoredValue stored) {
      if (last.epoch() >= first_epoch_)
        details.items.add(known, stored, actor, never, [](const AccessMark&) {});
      details.groups.add(known, stored, group_of_mark, never, [](const AccessMark&) {});
    };
    const bool has_second = last.has_second() && last.epoch() >= first_epoch_;
    for_each_access(page, index, add_last);
    if (has_second)
      details.items.add(last.second(page.value(index), group_), {}, actor, never,
                        [](const AccessMark&) {});
    details.epoch = last.epoch();
  }
  if (details.epoch != by.epoch()) {
    details.epoch = by.epoch();
    details.items = AccessCell();
  }
  details.items.add(
      mark, value, actor,
      [&](const AccessMark& earlier) { return is_ordered(earlier, mark.item()); }, report_earlier);
  if (!is_isolated(page))
    details.groups.add(
        mark, value, group_of_mark,
        [&](const AccessMark& earlier) { return checks_.are_ordered(earlier, mark); },
        report_earlier);
  last.bits = LastAccess::kIsDetailed | epoch_bits(by.epoch()) |
              static_cast<std::uint64_t>(details.items.has_two_readers() ? AccessKind::read
                                                                         : AccessKind::none);
}

void GroupOrder::report(AccessMark earlier, AccessMark later, const Access& access,
                        RaceShadow::Page& page, std::size_t index) {
  const auto [low, high] = std::minmax({earlier.site(), later.site()});
  if (!reported_.insert(std::uint64_t{high} << 32 | low).second)
    return;
  const bool is_small = access.bytes <= 16; // all of the access, which is what the line has
  const auto address = page.number() * RaceShadow::kPageBytes + index * page.unit();
  checks_.report({earlier, later, is_small ? access.address : address,
                  is_small ? access.bytes : page.unit(),
                  reinterpret_cast<std::uintptr_t>(worker_.local_memory), page.is_local()},
                 *launch_);
}

RaceShadow::Page& GroupOrder::page_of(std::uint64_t address) {
  const auto number = address / RaceShadow::kPageBytes;
  auto& slot = slots_[number % kSlots];
  if (slot.number != number) {
    auto& page = shadow_.page(address, is_local(address));
    slot = {number, &page};
  }
  return *slot.page;
}

} // namespace heddle
