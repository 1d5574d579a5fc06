// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the work-items of the running group have accessed: a hash table by address of one thread,
// which becomes empty when a group begins.
#pragma once

#include "runtime/execution/access_marks.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle {

class GroupShadow {
 public:
  struct Entry {
    std::uint64_t key = 0;
    // The barrier interval of the group that `cell` belongs to.
    std::uint32_t phase = 0;
    // Of the group, kSerialShift bits up; below it, whether bytes have entries of their own, and
    // the kinds of accesses that the launch's shadow has of this group, by bits.
    std::uint32_t stamp = 0;
    AccessCell cell;
  };
  static constexpr unsigned kSerialShift = 8;
  static constexpr std::uint32_t kSplit = 0x80;
  static constexpr unsigned kWordBytes = 4;

  void begin_group();

  // Calls visit(entry, address, bytes, offset) for each word that lies in the range as a whole, and
  // for each byte of other words; `offset` is the place of these bytes in the range. Once a word
  // was accessed in part, its bytes are apart for the rest of the group. Throws std::bad_alloc.
  template <class Visit>
  void for_each(std::uint64_t address, std::uint64_t bytes, Visit visit) {
    const auto end = address + bytes;
    for (auto at = address; at < end;) {
      const auto word = at / kWordBytes * kWordBytes;
      const auto word_end = word + kWordBytes;
      auto* entry = &find(word);
      const bool is_whole = at == word && word_end <= end;
      if (is_whole && (entry->stamp & kSplit) == 0) {
        visit(*entry, word, kWordBytes, at - address);
        at = word_end;
        continue;
      }
      if ((entry->stamp & kSplit) == 0)
        split(word, *entry);
      for (; at < word_end && at < end; ++at)
        visit(find(at | kByteKey), at, 1U, at - address);
    }
  }

 private:
  static constexpr std::uint64_t kByteKey = std::uint64_t{1} << 63;

  Entry& find(std::uint64_t key);
  Entry& place_of(std::uint64_t key);
  void split(std::uint64_t word, Entry& entry);
  void grow();

  std::vector<Entry> entries_;
  std::size_t used_ = 0; // by the group
  std::uint32_t serial_ = 0;
};

} // namespace heddle
