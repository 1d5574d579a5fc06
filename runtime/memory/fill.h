// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fills memory with a pattern.
#pragma once

#include <cstddef>

namespace heddle::fill {

constexpr std::size_t kMostPatternBytes = 128; // the largest OpenCL type

// Writes the pattern repeatedly. `size` is a multiple of pattern_size, which is a power of two and
// at most kMostPatternBytes.
void repeat(std::byte* to, std::size_t size, const std::byte* pattern, std::size_t pattern_size);

} // namespace heddle::fill
