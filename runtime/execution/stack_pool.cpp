// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/execution/stack_pool.h"

#include "runtime/core/page_bytes.h"

#include <atomic>
#include <charconv>
#include <cstdint>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace heddle {
namespace {

// Tops are spread over 4 KiB, so that equal depths of all stacks do not map to one cache set.
constexpr std::size_t kColors = 16;
constexpr std::size_t kColorBytes = 4096 / kColors;

// Each guard page splits a mapping, which adds two. All pools together use at most half of the
// mappings that the system allows a process.
std::atomic<std::size_t> guards_of_all{0};

std::size_t most_guards() noexcept {
  static const std::size_t most = [] {
    std::size_t mappings = 65530; // Linux's default
    char text[32]{};              // not read through a stream, which allocates
    const int file = open("/proc/sys/vm/max_map_count", O_RDONLY | O_CLOEXEC);
    if (file >= 0) {
      if (const auto size = read(file, text, sizeof text - 1); size > 0)
        std::from_chars(text, text + size, mappings);
      close(file);
    }
    return mappings / 4;
  }();
  return most;
}

bool claim_guards(std::size_t count) noexcept {
  if (guards_of_all.fetch_add(count, std::memory_order_relaxed) + count <= most_guards())
    return true;
  guards_of_all.fetch_sub(count, std::memory_order_relaxed);
  return false;
}

} // namespace

StackPool::~StackPool() { release(); }

void StackPool::release() noexcept {
  valgrind_.forget();
  if (memory_)
    munmap(memory_, count_ * stride_ + page_bytes());
  guards_of_all.fetch_sub(guards_, std::memory_order_relaxed);
  memory_ = nullptr;
  count_ = bytes_ = stride_ = guards_ = 0;
}

bool StackPool::reserve(std::size_t count, std::size_t bytes, bool known_frames) noexcept {
  if (count <= count_ && bytes <= bytes_ && (known_frames || guards_ == count_))
    return true;
  if (bytes > SIZE_MAX / 4)
    return false;
  if (count < count_)
    count = count_;
  const auto page = page_bytes();
  bytes = (bytes + page - 1) / page * page;
  if (bytes < bytes_)
    bytes = bytes_;
  const auto stride = page + page + bytes; // a guard, and room for the spread
  release();
  if (count > (SIZE_MAX / 2) / stride)
    return false;
  // With more than half of the machine's memory the system would kill the process.
  const auto physical = static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * page;
  if (count * stride > physical / 2)
    return false;
  const bool guard_all = claim_guards(count);
  if (!guard_all && (!known_frames || !claim_guards(1)))
    return false;
  guards_ = guard_all ? count : 1;
  void* memory = mmap(nullptr, count * stride + page, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) {
    release();
    return false;
  }
  memory_ = static_cast<std::byte*>(memory);
  count_ = count;
  bytes_ = bytes;
  stride_ = stride;
  madvise(memory_, count * stride + page, MADV_NOHUGEPAGE);
  for (std::size_t i = 0; i < guards_; ++i) {
    if (mprotect(memory_ + i * stride, page, PROT_NONE) != 0) {
      release();
      return false;
    }
  }
  valgrind_.tell(memory_ + page, stride - page, stride, count);
  return true;
}

std::byte* StackPool::top(std::size_t index) const noexcept {
  return memory_ + (index + 1) * stride_ - (index % kColors) * kColorBytes;
}

bool StackPool::is_guard(const void* address) const noexcept {
  if (!memory_)
    return false;
  const auto offset =
      reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(memory_);
  return offset < guards_ * stride_ && offset % stride_ < page_bytes();
}

} // namespace heddle
