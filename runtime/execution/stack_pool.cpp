#include "runtime/execution/stack_pool.h"

#include <cstdint>
#include <sys/mman.h>
#include <unistd.h>

namespace heddle {
namespace {

constexpr std::size_t kPage = 4096;
// Tops are spread over one page, so that the same depth of all stacks does not compete for one
// cache set.
constexpr std::size_t kColours = 16;
constexpr std::size_t kColourBytes = kPage / kColours;
// More guard pages would exhaust the system's limit of mappings (65,530 by default) for a few dozen
// threads.
constexpr std::size_t kMostGuards = 4096;

} // namespace

StackPool::~StackPool() { release(); }

void StackPool::release() noexcept {
  if (memory_)
    munmap(memory_, count_ * stride_ + kPage);
  memory_ = nullptr;
  count_ = bytes_ = stride_ = 0;
}

bool StackPool::reserve(std::size_t count, std::size_t bytes) noexcept {
  if (count <= count_ && bytes <= bytes_)
    return true;
  if (bytes > SIZE_MAX / 4)
    return false;
  if (count < count_)
    count = count_;
  bytes = (bytes + kPage - 1) / kPage * kPage;
  if (bytes < bytes_)
    bytes = bytes_;
  const auto stride = kPage + kPage + bytes;
  release();
  if (count > (SIZE_MAX / 2) / stride)
    return false;
  // More than half of the machine's memory would end in the system killing the process.
  const auto physical = static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * kPage;
  if (count * stride > physical / 2)
    return false;
  void* memory = mmap(nullptr, count * stride + kPage, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED)
    return false;
  memory_ = static_cast<std::byte*>(memory);
  count_ = count;
  bytes_ = bytes;
  stride_ = stride;
  madvise(memory_, count * stride + kPage, MADV_NOHUGEPAGE);
  if (count <= kMostGuards)
    for (std::size_t i = 0; i < count; ++i)
      mprotect(memory_ + i * stride, kPage, PROT_NONE);
  else
    mprotect(memory_, kPage, PROT_NONE);
  return true;
}

std::byte* StackPool::top(std::size_t index) const noexcept {
  return memory_ + (index + 1) * stride_ - (index % kColours) * kColourBytes;
}

bool StackPool::is_guard(const void* address) const noexcept {
  if (!memory_)
    return false;
  const auto offset =
      reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(memory_);
  return offset < count_ * stride_ && offset % stride_ < kPage;
}

} // namespace heddle
