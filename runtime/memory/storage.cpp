// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/memory/storage.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>

namespace heddle::storage {
namespace {

// The size from which memory is allocated from the system directly, and returned to it when freed.
constexpr std::size_t kLarge = std::size_t{1} << 20;
constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr std::size_t kPage = 4096;

constexpr std::size_t round_up(std::size_t size, std::size_t unit) {
  return (size + unit - 1) / unit * unit;
}

std::byte* allocate_large(std::size_t size) noexcept {
  const auto length = round_up(size, kPage);
  if (length < size || length + kHugePage < length)
    return nullptr;
  void* range =
      mmap(nullptr, length + kHugePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (range == MAP_FAILED)
    return nullptr;
  // Keep the part that starts at a huge page, unmap the rest.
  const auto begin = reinterpret_cast<std::uintptr_t>(range);
  const auto aligned = round_up(begin, kHugePage);
  if (aligned != begin)
    munmap(range, aligned - begin);
  if (const auto tail = begin + kHugePage - aligned; tail != 0)
    munmap(reinterpret_cast<void*>(aligned + length), tail);
  auto* data = reinterpret_cast<std::byte*>(aligned);
  if (length >= kHugePage)
    madvise(data, length, MADV_HUGEPAGE);
  return data;
}

} // namespace

std::byte* allocate(std::size_t size) noexcept {
  if (size >= kLarge)
    return allocate_large(size);
  return static_cast<std::byte*>(std::aligned_alloc(kAlignment, round_up(size, kAlignment)));
}

std::byte* allocate_zeroed(std::size_t size) noexcept {
  auto* data = allocate(size);
  if (data && size < kLarge) // memory from the system is zero
    std::memset(data, 0, size);
  return data;
}

void free(std::byte* data, std::size_t size) noexcept {
  if (size >= kLarge)
    munmap(data, round_up(size, kPage));
  else
    std::free(data);
}

} // namespace heddle::storage
