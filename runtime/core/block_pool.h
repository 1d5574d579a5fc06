// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory for objects that one thread allocates and another frees: commands and the copies of their
// arguments. malloc is slow at this: threads wait for each other's arenas, and return pages to the
// system only to request them again. TBB's allocators make launches slower (docs/decisions.md).
#pragma once

#include <cstddef>

namespace heddle::block_pool {

// Larger blocks come from malloc directly.
inline constexpr std::size_t kMaxBytes = 1088;

// Aligned to 64; null when memory is exhausted. The first `written` bytes are those that the caller
// writes at once: only their cache lines are fetched from the thread that has freed the block.
void* allocate(std::size_t bytes, std::size_t written) noexcept;
inline void* allocate(std::size_t bytes) noexcept { return allocate(bytes, bytes); }
// `bytes` is the size passed to allocate(). Thread-safe.
void release(void* block, std::size_t bytes) noexcept;

} // namespace heddle::block_pool
