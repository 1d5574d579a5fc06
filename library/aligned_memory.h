// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory at multiples of a power of two, from malloc() and free(): allocators that programs bring
// may lack aligned_alloc(), and the C library's would give what theirs cannot free.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace heddle::aligned_memory {

// Null if there is no memory.
inline void* allocate(std::size_t alignment, std::size_t size) noexcept {
  const auto more = alignment + sizeof(void*);
  void* given = size + more < size ? nullptr : std::malloc(size + more);
  if (!given)
    return nullptr;
  const auto first = reinterpret_cast<std::uintptr_t>(given) + sizeof(void*);
  auto* memory = reinterpret_cast<void*>((first + alignment - 1) / alignment * alignment);
  static_cast<void**>(memory)[-1] = given;
  return memory;
}

inline void free(void* memory) noexcept {
  if (memory)
    std::free(static_cast<void**>(memory)[-1]);
}

} // namespace heddle::aligned_memory
