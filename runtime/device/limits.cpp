// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/device/limits.h"

#include "runtime/device/machine.h"

#include <algorithm>

namespace heddle::limits {

// The specification's minimum is a quarter of global memory, but not more than 1 GiB.
std::uint64_t allocation_bytes() { return machine().memory_bytes / 4; }

std::uint64_t constant_bytes() { return std::min(allocation_bytes(), std::uint64_t{1} << 30); }

} // namespace heddle::limits
