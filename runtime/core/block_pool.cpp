// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/block_pool.h"

#include "library/aligned_memory.h"
#include "runtime/core/thread_end.h"
#include "runtime/target/instructions.h"

#include <atomic>
#include <cstdint>
#include <new>

// With a sanitizer every block comes from malloc, so that its accesses are checked.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HEDDLE_PLAIN_BLOCKS 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HEDDLE_PLAIN_BLOCKS 1
#endif
#endif

namespace heddle::block_pool {
namespace {

constexpr std::size_t kLine = 64;

std::size_t lines_of(std::size_t bytes) noexcept { return (bytes + kLine - 1) / kLine; }

void* allocate_fresh(std::size_t lines) noexcept {
  return aligned_memory::allocate(kLine, lines * kLine);
}

} // namespace

#if defined(HEDDLE_PLAIN_BLOCKS)

void* allocate(std::size_t bytes, std::size_t) noexcept { return allocate_fresh(lines_of(bytes)); }
void release(void* block, std::size_t) noexcept { aligned_memory::free(block); }

#else

namespace {

constexpr std::size_t kMaxLines = kMaxBytes / kLine;
// The number of free blocks of one size that the pool keeps; further ones return to malloc.
constexpr std::uint32_t kMaxResting = 8192;

struct Block {
  Block* next;
};

// Blocks that other threads freed. A thread that needs a block takes the whole list at once, which
// avoids the ABA problem of a lock-free pop.
struct alignas(kLine) Returned {
  std::atomic<Block*> first{nullptr};  // released with `next`; taken with acquire
  std::atomic<std::uint32_t> count{0}; // approximate
};
Returned returned[kMaxLines + 1];

void give_back(std::size_t lines, Block* block) noexcept {
  auto& list = returned[lines];
  block->next = list.first.load(std::memory_order_relaxed);
  while (!list.first.compare_exchange_weak(block->next, block, std::memory_order_release,
                                           std::memory_order_relaxed)) {
  }
}

// The free blocks of the thread. Trivially constructible, so an access runs no constructor.
struct Own {
  Block* first[kMaxLines + 1];
};
thread_local constinit Own own{};

void leave() noexcept {
  for (std::size_t lines = 1; lines <= kMaxLines; ++lines) {
    while (auto* block = own.first[lines]) {
      own.first[lines] = block->next;
      aligned_memory::free(block);
    }
  }
}
thread_local constinit thread_end::Hook leaver{leave};

// The thread that freed the block has its lines, and each write would wait for one: they are
// fetched while the block before is used.
void prefetch(const Block* block, std::size_t lines) noexcept {
  if (!block)
    return;
  const auto* line = reinterpret_cast<const char*>(block);
  for (std::size_t i = 0; i < lines; ++i)
    prefetch_to_write(&line[i * kLine]);
}

void* allocate_slowly(std::size_t lines) noexcept {
  auto& list = returned[lines];
  Block* blocks = nullptr;
  if (list.first.load(std::memory_order_relaxed)) {
    blocks = list.first.exchange(nullptr, std::memory_order_acquire);
    list.count.store(0, std::memory_order_relaxed);
  }
  if (!blocks)
    return allocate_fresh(lines);
  thread_end::add(leaver);
  own.first[lines] = blocks->next;
  return blocks;
}

} // namespace

void* allocate(std::size_t bytes, std::size_t written) noexcept {
  const auto lines = lines_of(bytes);
  if (lines > kMaxLines)
    return allocate_fresh(lines);
  auto& first = own.first[lines];
  if (auto* block = first) {
    first = block->next;
    prefetch(first, lines_of(written));
    return block;
  }
  return allocate_slowly(lines);
}

void release(void* block, std::size_t bytes) noexcept {
  if (!block)
    return;
  const auto lines = lines_of(bytes);
  if (lines > kMaxLines ||
      returned[lines].count.fetch_add(1, std::memory_order_relaxed) >= kMaxResting) {
    aligned_memory::free(block);
    return;
  }
  give_back(lines, new (block) Block{nullptr});
}

#endif

} // namespace heddle::block_pool
