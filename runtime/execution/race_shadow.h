// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the groups that one thread runs have accessed: for each word, and for each byte once a page
// was accessed in smaller parts, the last access, and where that does not say all, two cells. No
// other thread uses it while the launch runs.
#pragma once

#include "runtime/execution/access_marks.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>

namespace heddle {

// An access in one word; 0 for none. An epoch is an interval between barriers of one group, of all
// groups that the thread has run.
struct LastAccess {
  std::uint64_t bits = 0;

  static constexpr unsigned kItemShift = 6, kSiteShift = 19, kEpochShift = 33;
  // Of a write: the value is known. Of another kind: a second work-item has made such an access in
  // the epoch, and the entry's value is that item and site.
  static constexpr std::uint64_t kKind = 7, kValueIsKnown = 8, kHasSecond = 8;
  static constexpr std::uint64_t kIsDetailed = 16; // the cells have it; see kind()
  static constexpr std::uint64_t kAcquired = 32;   // AccessMark::has_acquired()
  static constexpr std::uint64_t kItem = std::uint64_t{AccessMark::kMaxItem} << kItemShift;
  static constexpr std::uint64_t kEpoch = ~std::uint64_t{0} << kEpochShift;
  static constexpr std::uint32_t kMaxEpoch = (1U << 31) - 1;
  static_assert(kValueIsKnown == abi::kRaceValueIsKnown && kKind == abi::kRaceKindMask);

  // With kIsDetailed: read if two work-items have read in this epoch and none wrote, else none.
  AccessKind kind() const { return static_cast<AccessKind>(bits & kKind); }
  bool is_detailed() const { return (bits & kIsDetailed) != 0; }
  bool has_acquired() const { return (bits & kAcquired) != 0; }
  std::uint32_t item() const { return bits >> kItemShift & AccessMark::kMaxItem; }
  std::uint32_t site() const { return bits >> kSiteShift & AccessMark::kMaxSite; }
  std::uint32_t epoch() const { return static_cast<std::uint32_t>(bits >> kEpochShift); }
  bool has_second() const {
    return (bits & kHasSecond) != 0 && !is_detailed() && kind() != AccessKind::write;
  }
  static constexpr unsigned kSecondSiteShift = kSiteShift - kItemShift;
  std::uint32_t as_second() const {
    return static_cast<std::uint32_t>((bits & ~kEpoch) >> kItemShift);
  }
  AccessMark second(std::uint32_t value, std::uint64_t group) const {
    return {kind(), value & AccessMark::kMaxItem, value >> kSecondSiteShift, group, has_acquired()};
  }
  AccessMark mark(std::uint64_t group) const {
    return {kind(), item(), site(), group, has_acquired()};
  }
};

class RaceShadow {
 public:
  static constexpr std::uint64_t kPageBytes = 4096;
  static constexpr unsigned kWordBytes = 4;

  struct Details {
    AccessCell items;  // in the epoch
    AccessCell groups; // not of local memory
    std::uint32_t epoch = 0;
  };

  class Page {
   public:
    Page(std::uint64_t number, bool is_local);
    ~Page();
    Page(const Page&) = delete;
    Page& operator=(const Page&) = delete;

    std::uint64_t number() const { return number_; }
    bool is_local() const { return is_local_; }
    // Bytes of an entry, and its logarithm.
    unsigned unit() const { return 1U << unit_shift_; }
    unsigned unit_shift() const { return unit_shift_; }
    LastAccess& last(std::size_t index) { return last_[index]; }
    // Of the last access, or the second one's, if that says so.
    std::uint32_t& value(std::size_t index) { return values_[index]; }
    StoredValue stored_value(std::size_t index) const {
      return {(last_[index].bits & LastAccess::kValueIsKnown) != 0
                  ? StoredValue::kKnown | values_[index]
                  : 0};
    }
    std::size_t size() const { return kPageBytes >> unit_shift_; }
    Details& details(std::size_t index);
    // Gives bytes entries of their own.
    void split();

   private:
    const std::uint64_t number_;
    const bool is_local_;
    unsigned unit_shift_ = 2;
    LastAccess* last_;
    std::uint32_t* values_;
    std::unique_ptr<Details[]> details_;
  };

  // Functions throw std::bad_alloc.
  Page& page(std::uint64_t address, bool is_local);
  Page* find(std::uint64_t number) {
    const auto found = pages_.find(number);
    return found == pages_.end() ? nullptr : found->second.get();
  }
  template <class Visit>
  void for_each_page(Visit visit) {
    for (auto& [number, page] : pages_)
      if (page)
        visit(*page);
  }
  void forget_local();

 private:
  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
};

} // namespace heddle
