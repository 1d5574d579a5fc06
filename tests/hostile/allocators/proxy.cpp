// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An allocator as programs bring it, incomplete: with PROXY_NEW the operators without size and
// alignment, with PROXY_MALLOC the functions of the first C standard. What is freed must be its
// own.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <unistd.h>

extern "C" {
void* __libc_malloc(std::size_t);
void __libc_free(void*);
}

namespace {

struct Header {
  std::uint64_t magic;
  std::size_t size;
};
[[maybe_unused]] constexpr std::uint64_t kMalloc = 0x6d616c6c6f632121, kNew = 0x6e65772121212121;

void* allocate(std::size_t size, std::uint64_t magic) {
  auto* header = static_cast<Header*>(__libc_malloc(size + sizeof(Header)));
  if (!header)
    return nullptr;
  *header = {magic, size};
  return header + 1;
}

Header* header_of(void* memory, std::uint64_t magic) {
  auto* header = static_cast<Header*>(memory) - 1;
  if (header->magic != magic) {
    constexpr char kMessage[] = "the proxy is to free what it did not allocate\n";
    (void)!write(2, kMessage, sizeof kMessage - 1);
    std::abort();
  }
  return header;
}

void release(void* memory, std::uint64_t magic) {
  if (!memory)
    return;
  auto* header = header_of(memory, magic);
  header->magic = 0;
  __libc_free(header);
}

} // namespace

#define PROXY_EXPORT __attribute__((visibility("default")))

#ifdef PROXY_MALLOC
extern "C" {
PROXY_EXPORT void* malloc(std::size_t size) { return allocate(size, kMalloc); }
PROXY_EXPORT void free(void* memory) { release(memory, kMalloc); }
PROXY_EXPORT void* calloc(std::size_t count, std::size_t size) {
  void* memory = allocate(count * size, kMalloc);
  return memory ? std::memset(memory, 0, count * size) : nullptr;
}
PROXY_EXPORT void* realloc(void* memory, std::size_t size) {
  if (!memory)
    return allocate(size, kMalloc);
  const auto before = header_of(memory, kMalloc)->size;
  void* moved = allocate(size, kMalloc);
  if (moved) {
    std::memcpy(moved, memory, before < size ? before : size);
    release(memory, kMalloc);
  }
  return moved;
}
}
#endif

#ifdef PROXY_NEW
PROXY_EXPORT void* operator new(std::size_t size) {
  if (void* memory = allocate(size, kNew))
    return memory;
  throw std::bad_alloc();
}
PROXY_EXPORT void* operator new[](std::size_t size) { return operator new(size); }
PROXY_EXPORT void operator delete(void* memory) noexcept { release(memory, kNew); }
PROXY_EXPORT void operator delete[](void* memory) noexcept { release(memory, kNew); }
#endif
