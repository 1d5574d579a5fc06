// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/allocation/shadowed_memory.h"

#include "compiler/interface/kernel_abi.h"
#include "runtime/core/lock.h"
#include "runtime/core/options.h"
#include "runtime/core/page_bytes.h"

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>
#include <sys/mman.h>

namespace heddle::shadowed_memory {
namespace {

constexpr int kUnwritten = 0xff;

bool contains(const std::byte* data) {
  return reinterpret_cast<std::uintptr_t>(data) - abi::kShadowedBuffers < abi::kShadowedBytes;
}

std::byte* shadow_of(const std::byte* data) {
  return const_cast<std::byte*>(data) + abi::kBufferShadow;
}

std::uintptr_t whole_pages(std::size_t size) {
  return (size + page_bytes() - 1) / page_bytes() * page_bytes();
}

// The pages of the shadow of [begin, begin + bytes).
struct Pages {
  std::uintptr_t begin, end;
};
Pages shadow_pages(std::uintptr_t begin, std::uintptr_t bytes) {
  const auto first = begin + abi::kBufferShadow;
  return {first / page_bytes() * page_bytes(), whole_pages(first + bytes)};
}

bool change(Pages pages, int protection) {
  return mprotect(reinterpret_cast<void*>(pages.begin), pages.end - pages.begin, protection) == 0;
}

// Gives the pages back to the system.
void drop(Pages pages) {
  (void)mmap(reinterpret_cast<void*>(pages.begin), pages.end - pages.begin, PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

// The ranges of the area that are free, in whole pages. One page stays free behind each buffer:
// the shadow of one ends in the page in which that of the next one would begin.
class Area {
 public:
  Area() {
    const auto pages = shadow_pages(abi::kShadowedBuffers, abi::kShadowedBytes);
    auto* wanted = reinterpret_cast<void*>(abi::kShadowedBuffers);
    auto* got = mmap(wanted, pages.end - abi::kShadowedBuffers, PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (got == wanted) {
      free_[abi::kShadowedBuffers] = abi::kShadowedBytes;
      return;
    }
    if (got != MAP_FAILED)
      munmap(got, pages.end - abi::kShadowedBuffers);
    std::fputs("heddle: HEDDLE_CHECK=buffers: new buffers count as written, because this process "
               "cannot reserve the addresses of their shadows\n",
               stderr);
  }

  // Of an area that other threads do not have yet.
  bool is_reserved() const HEDDLE_NOT_ANALYZED { return !free_.empty(); }

  std::byte* take(std::size_t size) {
    const auto bytes = whole_pages(size) + page_bytes();
    if (bytes < size)
      return nullptr;
    const Lock lock(mutex_);
    for (auto range = free_.begin(); range != free_.end(); ++range)
      if (range->second > bytes) { // never all: is_reserved() reads without the lock
        const auto begin = range->first;
        const auto left = range->second - bytes;
        free_.emplace(begin + bytes, left);
        free_.erase(begin);
        return reinterpret_cast<std::byte*>(begin);
      }
    return nullptr;
  }

  void give(std::byte* data, std::size_t size) {
    auto begin = reinterpret_cast<std::uintptr_t>(data);
    auto bytes = whole_pages(size) + page_bytes();
    const Lock lock(mutex_);
    const auto next = free_.lower_bound(begin);
    if (next != free_.end() && begin + bytes == next->first) {
      bytes += next->second;
      free_.erase(next);
    }
    const auto after = free_.lower_bound(begin);
    if (after != free_.begin())
      if (const auto before = std::prev(after); before->first + before->second == begin) {
        before->second += bytes;
        return;
      }
    free_[begin] = bytes;
  }

 private:
  SleepingMutex mutex_;
  std::map<std::uintptr_t, std::uintptr_t> free_ HEDDLE_GUARDED_BY(mutex_); // begin to bytes
};

// Null unless it could be reserved. Never destroyed: buffers may be released at the process' end.
Area* area() noexcept {
  static Area* const only = []() -> Area* {
    if (!options().CHECK.buffers)
      return nullptr;
    auto* made = new Area;
    return made->is_reserved() ? made : nullptr;
  }();
  return only;
}

} // namespace

bool is_available() noexcept { return area() != nullptr; }

std::byte* allocate(std::size_t size) noexcept try {
  auto* data = is_available() ? area()->take(size) : nullptr;
  if (data == nullptr)
    return nullptr;
  const auto begin = reinterpret_cast<std::uintptr_t>(data);
  if (!change({begin, begin + whole_pages(size)}, PROT_READ | PROT_WRITE) ||
      !change(shadow_pages(begin, size), PROT_READ | PROT_WRITE)) {
    free(data, size);
    return nullptr;
  }
  std::memset(shadow_of(data), kUnwritten, size);
  return data;
} catch (const std::bad_alloc&) {
  return nullptr;
}

bool free(std::byte* data, std::size_t size) noexcept {
  if (!contains(data))
    return false;
  const auto begin = reinterpret_cast<std::uintptr_t>(data);
  drop({begin, begin + whole_pages(size)});
  drop(shadow_pages(begin, size));
  area()->give(data, size);
  return true;
}

void mark_written(std::byte* to, std::size_t size) noexcept {
  if (contains(to))
    std::memset(shadow_of(to), 0, size);
}

void mark_copied(std::byte* to, const std::byte* from, std::size_t size) noexcept {
  if (!contains(to))
    return;
  if (contains(from))
    std::memmove(shadow_of(to), shadow_of(from), size);
  else
    std::memset(shadow_of(to), 0, size);
}

} // namespace heddle::shadowed_memory
