// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registers stacks with Valgrind, so that after a switch it does not treat memory below the stack
// pointer as freed. Does nothing outside of Valgrind, and is empty if Valgrind's header was missing
// at build time.
#pragma once

#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#define HEDDLE_TELLS_VALGRIND 1
#endif

#include <cstddef>
#include <memory>
#include <new>

namespace heddle {

class ValgrindStacks {
 public:
  ValgrindStacks() = default;
  ValgrindStacks(const ValgrindStacks&) = delete;
  ValgrindStacks& operator=(const ValgrindStacks&) = delete;
  ~ValgrindStacks() { forget(); }

  // Registers `count` stacks of `bytes`, `stride` apart, and unregisters the previous ones.
  void tell([[maybe_unused]] std::byte* lowest, [[maybe_unused]] std::size_t bytes,
            [[maybe_unused]] std::size_t stride, [[maybe_unused]] std::size_t count) noexcept {
    forget();
#if defined(HEDDLE_TELLS_VALGRIND)
    if (!RUNNING_ON_VALGRIND)
      return;
    ids_.reset(new (std::nothrow) unsigned[count]);
    if (!ids_)
      return;
    for (count_ = 0; count_ < count; ++count_, lowest += stride)
      ids_[count_] = VALGRIND_STACK_REGISTER(lowest, lowest + bytes);
#endif
  }
  void forget() noexcept {
#if defined(HEDDLE_TELLS_VALGRIND)
    while (count_ > 0)
      VALGRIND_STACK_DEREGISTER(ids_[--count_]);
#endif
  }

 private:
#if defined(HEDDLE_TELLS_VALGRIND)
  std::unique_ptr<unsigned[]> ids_;
  std::size_t count_ = 0;
#endif
};

} // namespace heddle
