#include "runtime/device/limits.h"

#include "runtime/device/machine.h"

#include <algorithm>

namespace heddle::limits {

// The specification wants at least a quarter of global memory, and 1 GiB at most of that.
std::uint64_t allocation_bytes() { return machine().memory_bytes / 4; }

std::uint64_t constant_bytes() { return std::min(allocation_bytes(), std::uint64_t{1} << 30); }

} // namespace heddle::limits
