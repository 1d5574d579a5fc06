// Memory for what every launch makes and another thread throws away: commands and the copies of
// their arguments. malloc is slow at just that: threads wait for each other's arenas, and give
// pages back to the system only to take them again.
#pragma once

#include <cstddef>

namespace heddle::block_pool {

// Aligned to 64; null when memory is exhausted. Larger blocks come from malloc.
void* allocate(std::size_t bytes) noexcept;
// `bytes` as it was asked for. Any thread.
void release(void* block, std::size_t bytes) noexcept;

} // namespace heddle::block_pool
