// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/allocation/storage.h"

#include "library/aligned_memory.h"
#include "runtime/allocation/shadowed_memory.h"
#include "runtime/core/clock.h"
#include "runtime/core/page_bytes.h"
#include "runtime/trace/trace.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <sys/mman.h>

namespace heddle::storage {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;
static_assert(kMaxAlignment <= kHugePage);

constexpr std::size_t round_up(std::size_t size, std::size_t unit) {
  return (size + unit - 1) / unit * unit;
}

std::uintptr_t map(std::size_t length) noexcept {
  void* range = mmap(nullptr, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return range == MAP_FAILED ? 0 : reinterpret_cast<std::uintptr_t>(range);
}

// Maps `length` bytes at a multiple of `alignment`, a power of two of at least a page; 0 on
// failure.
std::uintptr_t map_aligned(std::size_t length, std::size_t alignment) noexcept {
  // Linux 6.7 and later aligns mappings of 2 MiB and more by itself.
  const auto plain = map(length);
  if (plain % alignment == 0)
    return plain;
  munmap(reinterpret_cast<void*>(plain), length);
  const auto begin = map(length + alignment);
  if (begin == 0)
    return 0;
  // Keep the aligned part, unmap the rest.
  const auto aligned = round_up(begin, alignment);
  if (aligned != begin)
    munmap(reinterpret_cast<void*>(begin), aligned - begin);
  if (const auto tail = begin + alignment - aligned; tail != 0)
    munmap(reinterpret_cast<void*>(aligned + length), tail);
  return aligned;
}

std::byte* allocate_large(std::size_t size, std::size_t alignment) noexcept {
  const auto length = round_up(size, page_bytes());
  if (length < size || length + kHugePage < length)
    return nullptr;
  const bool has_huge_pages = length >= kHugePage;
  auto* data = reinterpret_cast<std::byte*>(
      map_aligned(length, has_huge_pages ? kHugePage : std::max(alignment, page_bytes())));
  if (data && has_huge_pages)
    madvise(data, length, MADV_HUGEPAGE);
  return data;
}

// `change` may be negative, modulo 2^64.
void trace_change(std::size_t change) noexcept {
  static constinit std::atomic<std::size_t> bytes{0};
  if (!trace::records(trace::Kind::memory))
    return;
  const auto now = monotonic_nanoseconds();
  trace::add(trace::Kind::memory, now, now, {},
             {bytes.fetch_add(change, std::memory_order_relaxed) + change});
}

} // namespace

std::byte* allocate(std::size_t size, std::size_t alignment) noexcept {
  auto* data = size >= kLarge ? allocate_large(size, alignment)
                              : static_cast<std::byte*>(aligned_memory::allocate(alignment, size));
  if (data)
    trace_change(size);
  return data;
}

std::byte* allocate_zeroed(std::size_t size, std::size_t alignment) noexcept {
  auto* data = allocate(size, alignment);
  if (data && size < kLarge) // memory from the system is zero
    std::memset(data, 0, size);
  return data;
}

std::byte* allocate_unwritten(std::size_t size, std::size_t alignment) noexcept {
  if (alignment <= page_bytes())
    if (auto* data = shadowed_memory::allocate(size)) {
      trace_change(size);
      return data;
    }
  return allocate_zeroed(size, alignment);
}

void free(std::byte* data, std::size_t size) noexcept {
  trace_change(-size);
  if (shadowed_memory::free(data, size))
    return;
  if (size >= kLarge)
    munmap(data, round_up(size, page_bytes()));
  else
    aligned_memory::free(data);
}

} // namespace heddle::storage
