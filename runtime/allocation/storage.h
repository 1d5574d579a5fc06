// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The storage of buffers.
#pragma once

#include <cstddef>

namespace heddle::storage {

// Every buffer is aligned to the largest OpenCL type; large ones to huge pages.
constexpr std::size_t kAlignment = 128;
// The size from which memory is allocated from the system directly, in whole pages, and returned to
// it when freed: that of a huge page. To clear smaller memory that the heap has recycled takes less
// time than to touch new pages of 4 KiB.
constexpr std::size_t kLarge = std::size_t{2} << 20;

constexpr std::size_t kMaxAlignment = std::size_t{2} << 20;

// Allocates `size` (not 0) bytes, uninitialized; null when memory is exhausted. The alignment is a
// power of two in [kAlignment, kMaxAlignment].
std::byte* allocate(std::size_t size, std::size_t alignment = kAlignment) noexcept;
// The same, zero-initialized: fresh pages if it is large, else memset.
std::byte* allocate_zeroed(std::size_t size, std::size_t alignment = kAlignment) noexcept;
// The same, and for HEDDLE_CHECK=buffers nothing of it counts as written.
std::byte* allocate_unwritten(std::size_t size, std::size_t alignment = kAlignment) noexcept;
void free(std::byte* data, std::size_t size) noexcept;

} // namespace heddle::storage
