// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// operator new and operator delete of the libraries, hidden in each. A program may bring some of
// them, all but those with a size or an alignment, or load them after the C++ library: what the
// libraries then got from the one they would give back to the other. These use malloc and free
// only, which every allocator has, and has as a pair.
//
// The C++ library, which is inside of the libraries too, calls these.

#include "library/aligned_memory.h"

#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

// Null if there is no memory, after what std::set_new_handler() wants.
template <class Allocate>
void* allocate_or_throw(const Allocate& allocate) {
  for (;;) {
    if (void* memory = allocate())
      return memory;
    const auto handler = std::get_new_handler();
    if (!handler)
      throw std::bad_alloc();
    handler();
  }
}

void* plain(std::size_t size) noexcept { return std::malloc(size != 0 ? size : 1); }

void* aligned(std::size_t size, std::align_val_t alignment) noexcept {
  return heddle::aligned_memory::allocate(static_cast<std::size_t>(alignment), size);
}

} // namespace

// NOLINTBEGIN(misc-new-delete-overloads)
void* operator new(std::size_t size) {
  return allocate_or_throw([size] { return plain(size); });
}
void* operator new[](std::size_t size) { return operator new(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return plain(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return plain(size); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate_or_throw([=] { return aligned(size, alignment); });
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return operator new(size, alignment);
}
void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return aligned(size, alignment);
}
void* operator new[](std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return aligned(size, alignment);
}

void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept {
  heddle::aligned_memory::free(memory);
}
void operator delete[](void* memory, std::align_val_t) noexcept {
  heddle::aligned_memory::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  heddle::aligned_memory::free(memory);
}
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept {
  heddle::aligned_memory::free(memory);
}
void operator delete(void* memory, std::align_val_t, const std::nothrow_t&) noexcept {
  heddle::aligned_memory::free(memory);
}
void operator delete[](void* memory, std::align_val_t, const std::nothrow_t&) noexcept {
  heddle::aligned_memory::free(memory);
}
// NOLINTEND(misc-new-delete-overloads)
