// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the groups of a launch have accessed in global memory, for all threads that run them.
#pragma once

#include "runtime/execution/access_marks.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace heddle {

class LaunchShadow {
 public:
  static constexpr std::uint64_t kPageBytes = 4096;
  static constexpr unsigned kWordBytes = 4;

  // Cells of words, and, once a word was accessed in part, of bytes.
  struct Page {
    std::mutex mutex;
    bool has_bytes = false;
    std::vector<AccessCell> cells;
  };

  // Of the page with the address; stays until the end of the launch. Throws std::bad_alloc.
  Page& page(std::uint64_t address);

  // Calls visit(cell, value) with the page locked, for the word or the byte at the address, which
  // has `bytes`; a word is as many bytes if its page has these apart.
  template <class Visit>
  static void visit(Page& page, std::uint64_t address, unsigned bytes, StoredValue value,
                    Visit visit) {
    const std::lock_guard lock(page.mutex);
    if (bytes != kWordBytes && !page.has_bytes)
      split(page);
    const auto offset = address % kPageBytes;
    if (!page.has_bytes) {
      visit(page.cells[offset / kWordBytes], value);
    } else if (bytes == 1) {
      visit(page.cells[offset], value);
    } else {
      for (unsigned i = 0; i < bytes; ++i)
        visit(page.cells[offset + i], value.byte(i));
    }
  }

 private:
  static void split(Page& page);

  static constexpr std::size_t kParts = 64; // with a lock each
  struct Part {
    std::mutex mutex;
    std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages;
  };
  Part parts_[kParts];
};

} // namespace heddle
