// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/memory/fill.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace heddle::fill {

void repeat(std::byte* to, std::size_t size, const std::byte* pattern, std::size_t pattern_size) {
  if (std::all_of(pattern, pattern + pattern_size, [&](std::byte b) { return b == pattern[0]; })) {
    std::memset(to, static_cast<int>(pattern[0]), size);
    return;
  }
  // A block that stays in the L1 cache and is copied from there.
  std::array<std::byte, 4096> block;
  const auto whole = block.size() / pattern_size * pattern_size;
  const auto length = std::min(whole, size);
  for (std::size_t i = 0; i < length; i += pattern_size)
    std::memcpy(block.data() + i, pattern, pattern_size);
  for (; size >= whole; size -= whole, to += whole)
    std::memcpy(to, block.data(), whole);
  std::memcpy(to, block.data(), size);
}

} // namespace heddle::fill
