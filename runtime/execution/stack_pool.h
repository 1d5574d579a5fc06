// Guarded stacks for kernels: one mapping for many, with an inaccessible page below each.
#pragma once

#include "runtime/execution/valgrind_stacks.h"

#include <cstddef>

namespace heddle {

class StackPool {
 public:
  StackPool() = default;
  ~StackPool();
  StackPool(const StackPool&) = delete;
  StackPool& operator=(const StackPool&) = delete;

  // Room for `count` stacks of at least `bytes` each; existing ones are kept when they suffice.
  // Every stack has a guard page as long as the system's limit of mappings (vm.max_map_count)
  // leaves the process most of them; beyond, with `known_frames`, only the lowest has one: nothing
  // can overflow then. False if the system does not give the memory or the guards; the pool is then
  // empty.
  bool reserve(std::size_t count, std::size_t bytes, bool known_frames) noexcept;
  // Highest address of stack `index`, aligned to 64. Stacks start at different cache sets.
  std::byte* top(std::size_t index) const noexcept;
  std::size_t usable_bytes() const noexcept { return bytes_; }
  // All of it, guards included.
  const std::byte* begin() const noexcept { return memory_; }
  const std::byte* end() const noexcept { return memory_ + count_ * stride_; }
  // Whether the address lies in a guard page, so that a fault there is an overflow.
  bool is_guard(const void* address) const noexcept;

 private:
  void release() noexcept;

  std::byte* memory_ = nullptr;
  std::size_t count_ = 0;
  std::size_t bytes_ = 0;  // usable, a multiple of the page
  std::size_t stride_ = 0; // guard + colour + usable
  std::size_t guards_ = 0; // one for each stack, or 1
  ValgrindStacks valgrind_;
};

} // namespace heddle
