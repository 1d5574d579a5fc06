// The bytes behind buffers.
#pragma once

#include <cstddef>

namespace heddle::storage {

// Every buffer is aligned for the largest OpenCL type; large ones to huge pages.
constexpr std::size_t kAlignment = 128;

// The largest alignment that can be asked for.
constexpr std::size_t kMostAlignment = std::size_t{2} << 20;

// `size` (not 0) bytes, not initialised; null when the system does not give them. The alignment is
// a power of two from kAlignment to kMostAlignment.
std::byte* allocate(std::size_t size, std::size_t alignment = kAlignment) noexcept;
// The same, all zero: fresh pages where they are large, cleared where memory is used again.
std::byte* allocate_zeroed(std::size_t size, std::size_t alignment = kAlignment) noexcept;
void free(std::byte* data, std::size_t size) noexcept;

} // namespace heddle::storage
