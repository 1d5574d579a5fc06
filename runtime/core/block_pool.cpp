#include "runtime/core/block_pool.h"

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <new>

// Sanitizers are to see every block come and go.
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
  return std::aligned_alloc(kLine, lines * kLine);
}

} // namespace

#if defined(HEDDLE_PLAIN_BLOCKS)

void* allocate(std::size_t bytes) noexcept { return allocate_fresh(lines_of(bytes)); }
void release(void* block, std::size_t) noexcept { std::free(block); }

#else

namespace {

constexpr std::size_t kMostLines = 16;
// Blocks of one size that rest in the pool; more go back to malloc.
constexpr std::uint32_t kMostResting = 8192;

struct Block {
  Block* next;
};

// What all threads give back. A thread that needs a block takes all of them at once, so that the
// usual trouble of lists without a lock (a first block that comes back in between) cannot arise.
struct alignas(kLine) Returned {
  std::atomic<Block*> first{nullptr};
  std::atomic<std::uint32_t> count{0}; // about
};
Returned returned[kMostLines + 1];

void give_back(std::size_t lines, Block* block) noexcept {
  auto& list = returned[lines];
  block->next = list.first.load(std::memory_order_relaxed);
  while (!list.first.compare_exchange_weak(block->next, block, std::memory_order_release,
                                           std::memory_order_relaxed)) {
  }
}

// A thread's own blocks. Plain data, so that a look at it needs no constructor.
struct Own {
  Block* first[kMostLines + 1];
  bool is_watched; // Leaver will empty it when the thread ends
  bool has_left;
};
thread_local constinit Own own{};

struct Leaver {
  ~Leaver() {
    own.has_left = true;
    for (std::size_t lines = 1; lines <= kMostLines; ++lines) {
      while (auto* block = own.first[lines]) {
        own.first[lines] = block->next;
        std::free(block);
      }
    }
  }
};

void* allocate_slowly(std::size_t lines) noexcept {
  auto& list = returned[lines];
  Block* blocks = nullptr;
  if (list.first.load(std::memory_order_relaxed)) {
    blocks = list.first.exchange(nullptr, std::memory_order_acquire);
    list.count.store(0, std::memory_order_relaxed);
  }
  if (!blocks)
    return allocate_fresh(lines);
  if (own.has_left) { // the thread is ending: it keeps nothing
    for (auto* block = blocks->next; block;) {
      auto* next = block->next;
      give_back(lines, block);
      block = next;
    }
    return blocks;
  }
  if (!own.is_watched) {
    own.is_watched = true;
    thread_local Leaver leaver;
    (void)leaver;
  }
  own.first[lines] = blocks->next;
  return blocks;
}

} // namespace

void* allocate(std::size_t bytes) noexcept {
  const auto lines = lines_of(bytes);
  if (lines > kMostLines)
    return allocate_fresh(lines);
  auto& first = own.first[lines];
  if (auto* block = first) {
    first = block->next;
    return block;
  }
  return allocate_slowly(lines);
}

void release(void* block, std::size_t bytes) noexcept {
  if (!block)
    return;
  const auto lines = lines_of(bytes);
  if (lines > kMostLines ||
      returned[lines].count.fetch_add(1, std::memory_order_relaxed) >= kMostResting) {
    std::free(block);
    return;
  }
  give_back(lines, new (block) Block{nullptr});
}

#endif

} // namespace heddle::block_pool
