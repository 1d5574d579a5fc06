// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/execution/group_shadow.h"

#include <algorithm>
#include <utility>

namespace heddle {
namespace {

constexpr std::size_t kFirstEntries = 1 << 12;
constexpr std::uint64_t kMultiplier = 0x9e3779b97f4a7c15;
// Neighbors in memory are neighbors in the table, in runs of so many words or bytes.
constexpr unsigned kRunBits = 3;

} // namespace

void GroupShadow::begin_group() {
  used_ = 0;
  if (++serial_ >= std::uint32_t{1} << (32 - kSerialShift)) {
    std::fill(entries_.begin(), entries_.end(), Entry());
    serial_ = 1;
  }
}

// The entry of the key, or one that is free.
GroupShadow::Entry& GroupShadow::place_of(std::uint64_t key) {
  const auto number = key >> 63 != 0 ? key : key / kWordBytes;
  const auto run = (number >> kRunBits) * kMultiplier >> 24;
  const auto mask = entries_.size() - 1;
  auto at = (run << kRunBits | (number & ((1U << kRunBits) - 1))) & mask;
  while (entries_[at].stamp >> kSerialShift == serial_ && entries_[at].key != key)
    at = (at + 1) & mask;
  return entries_[at];
}

GroupShadow::Entry& GroupShadow::find(std::uint64_t key) {
  if (entries_.empty())
    grow();
  auto* entry = &place_of(key);
  if (entry->stamp >> kSerialShift == serial_)
    return *entry;
  if (used_ * 2 >= entries_.size()) {
    grow();
    entry = &place_of(key);
  }
  ++used_;
  *entry = {key, 0, serial_ << kSerialShift, {}};
  return *entry;
}

void GroupShadow::split(std::uint64_t word, Entry& entry) {
  entry.stamp |= kSplit;
  const auto whole = entry; // entries move when the table grows
  for (unsigned i = 0; i < kWordBytes; ++i) {
    auto& byte = find((word + i) | kByteKey);
    byte.phase = whole.phase;
    byte.stamp = whole.stamp & ~kSplit;
    byte.cell = whole.cell.byte(i);
  }
}

void GroupShadow::grow() {
  std::vector<Entry> old(std::max(kFirstEntries, entries_.size() * 2));
  old.swap(entries_);
  for (const auto& entry : old)
    if (entry.stamp >> kSerialShift == serial_)
      place_of(entry.key) = entry;
}

} // namespace heddle
