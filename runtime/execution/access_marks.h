// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What HEDDLE_CHECK=race remembers of the accesses to some bytes: two marks are enough to find a
// conflict with a later access, as long as there was none so far.
#pragma once

#include "compiler/interface/race_access.h"

#include <cstdint>

namespace heddle {

using abi::AccessKind;

// Who accessed: one word, 0 for nobody.
class AccessMark {
 public:
  static constexpr std::uint32_t kMaxItem = (1 << 13) - 1; // no work-item: an async copy
  static constexpr std::uint32_t kMaxSite = (1 << 14) - 1;

  AccessMark() = default;
  // `has_acquired`: the group, before the access, what another one has released.
  AccessMark(AccessKind kind, std::uint32_t item, std::uint32_t site, std::uint64_t group,
             bool has_acquired)
      : bits_(static_cast<std::uint64_t>(kind) | std::uint64_t{item} << 3 |
              std::uint64_t{site} << 16 | std::uint64_t{has_acquired} << 30 | group << 32) {}

  AccessKind kind() const { return static_cast<AccessKind>(bits_ & 7); }
  std::uint32_t item() const { return bits_ >> 3 & kMaxItem; } // linear local id
  std::uint32_t site() const { return bits_ >> 16 & kMaxSite; }
  bool has_acquired() const { return (bits_ >> 30 & 1) != 0; }
  std::uint32_t group() const { return static_cast<std::uint32_t>(bits_ >> 32); } // linear
  explicit operator bool() const { return bits_ != 0; }
  // For AccessCell, which keeps a value in the place of a mark.
  static AccessMark of_bits(std::uint64_t bits) {
    AccessMark mark;
    mark.bits_ = bits;
    return mark;
  }
  std::uint64_t bits() const { return bits_; }

 private:
  std::uint64_t bits_ = 0;
};

inline bool conflict(AccessKind a, AccessKind b) {
  if (a > b)
    return conflict(b, a);
  return a != AccessKind::none &&
         (b == AccessKind::write || (a == AccessKind::read && b == AccessKind::atomic_write));
}

// Whether everything that conflicts with `b` conflicts with `a`.
inline bool covers(AccessKind a, AccessKind b) {
  return a == AccessKind::write || a == b || b <= AccessKind::atomic_read;
}

// What a write stores in these bytes. Equal values are no race: programs set flags so.
struct StoredValue {
  std::uint64_t bits = 0; // 0: unknown; otherwise kKnown and the value
  static constexpr std::uint64_t kKnown = std::uint64_t{1} << 32;
  StoredValue byte(unsigned index) const {
    return {bits == 0 ? 0 : (bits >> 8 * index & 0xff) | kKnown};
  }
  bool is_equal(StoredValue other) const { return bits != 0 && bits == other.bits; }
};

// The accesses to a word or to a byte by several actors: work-items of a group between two
// barriers, or groups of a launch. A write makes other marks needless; then the second word is its
// value.
class AccessCell {
 public:
  // `actor` maps a mark to who acted, `is_ordered` tells whether an earlier mark happens before the
  // access, `report` is called with an earlier mark that conflicts.
  template <class Actor, class IsOrdered, class Report>
  void add(AccessMark mark, StoredValue value, Actor actor, IsOrdered is_ordered, Report report) {
    const bool was_written = marks_[0].kind() == AccessKind::write;
    bool keeps_others = false;
    for (unsigned i = 0; i < (was_written ? 1U : 2U); ++i) {
      auto& earlier = marks_[i];
      if (!earlier || actor(earlier) == actor(mark) || !conflict(earlier.kind(), mark.kind()))
        continue;
      if (was_written && mark.kind() == AccessKind::write && stored().is_equal(value))
        return;
      if (is_ordered(earlier)) {
        earlier = AccessMark();
        if (was_written)
          marks_[1] = AccessMark();
      } else {
        report(earlier);
        keeps_others = true;
      }
    }
    if (!keeps_others)
      insert(mark, value, actor);
  }

  // Whether two actors read the bytes, and none wrote: one more that reads changes nothing.
  bool has_two_readers() const {
    return marks_[0].kind() == AccessKind::read && marks_[1].kind() == AccessKind::read;
  }

  // Calls visit(mark, value) for each access that it stands for.
  template <class Visit>
  void for_each(Visit visit) const {
    if (marks_[0])
      visit(marks_[0], marks_[0].kind() == AccessKind::write ? stored() : StoredValue());
    if (marks_[0].kind() != AccessKind::write && marks_[1])
      visit(marks_[1], StoredValue());
  }

  AccessCell byte(unsigned index) const {
    auto copy = *this;
    if (marks_[0].kind() == AccessKind::write)
      copy.set_value(stored().byte(index));
    return copy;
  }

 private:
  StoredValue stored() const { return {marks_[1].bits()}; }
  void set_value(StoredValue value) { marks_[1] = AccessMark::of_bits(value.bits); }

  template <class Actor>
  void insert(AccessMark mark, StoredValue value, Actor actor) {
    if (marks_[0].kind() == AccessKind::write) {
      if (mark.kind() == AccessKind::write)
        set_value(value);
      return;
    }
    if (mark.kind() == AccessKind::write) {
      marks_[0] = mark;
      set_value(value);
      return;
    }
    for (auto& known : marks_)
      if (known && actor(known) == actor(mark)) {
        if (covers(known.kind(), mark.kind()))
          return;
        if (covers(mark.kind(), known.kind())) {
          known = mark;
          return;
        }
      }
    for (auto& known : marks_)
      if (!known) {
        known = mark;
        return;
      }
    for (auto& known : marks_)
      if (known.kind() == AccessKind::atomic_read) {
        known = mark;
        return;
      }
  }

  AccessMark marks_[2];
};

} // namespace heddle
