// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Guarded stacks for kernels: one mapping for all, with an inaccessible page below each.
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

  // Allocates `count` stacks of at least `bytes` each; keeps existing ones that suffice. Every
  // stack has a guard page while the process stays below half of the system's limit of mappings
  // (vm.max_map_count); beyond that, with `known_frames` (no stack can overflow), only the lowest
  // has one. False if the system does not provide the memory or the guard pages; the pool is then
  // empty.
  bool reserve(std::size_t count, std::size_t bytes, bool known_frames) noexcept;
  // The highest address of stack `index`, aligned to 64. Stacks start at different cache sets.
  std::byte* top(std::size_t index) const noexcept;
  std::size_t usable_bytes() const noexcept { return bytes_; }
  // The whole mapping, including guard pages.
  const std::byte* begin() const noexcept { return memory_; }
  const std::byte* end() const noexcept { return memory_ + count_ * stride_; }
  // Whether the address lies in a guard page, so that a fault there is an overflow.
  bool is_guard(const void* address) const noexcept;

 private:
  void release() noexcept;

  std::byte* memory_ = nullptr;
  std::size_t count_ = 0;
  std::size_t bytes_ = 0;  // usable, a multiple of the page size
  std::size_t stride_ = 0; // guard + cache-set offset + usable
  std::size_t guards_ = 0; // one for each stack, or 1
  ValgrindStacks valgrind_;
};

} // namespace heddle
