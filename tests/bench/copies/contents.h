// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The initial contents of memory, and the check of the results: every byte is at the right address,
// and no other one is written.
#pragma once

#include "tests/bench/copies/shapes.h"

#include <cstddef>
#include <vector>

namespace heddle::bench {

using Bytes = std::vector<unsigned char>;

constexpr std::size_t kLocalBytes = 32 << 10; // the largest tile

Bytes initial_global(const CopyShape& shape);
Bytes initial_local();

// Checks memory after all tiles of the shape have been copied at least once. Throws
// std::runtime_error with the first wrong byte.
void check_contents(const CopyShape& shape, const unsigned char* global,
                    const unsigned char* local);

} // namespace heddle::bench
