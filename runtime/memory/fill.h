// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fills memory with a pattern.
#pragma once

#include <cstddef>

namespace heddle::fill {

constexpr std::size_t kMaxPatternBytes = 128; // the largest OpenCL type

// Writes the pattern repeatedly, the last time perhaps not all of it. It has at most
// kMaxPatternBytes.
void repeat(std::byte* to, std::size_t size, const std::byte* pattern, std::size_t pattern_size);

} // namespace heddle::fill
