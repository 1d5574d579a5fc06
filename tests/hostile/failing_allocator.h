// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes allocations fail: replaces operator new everywhere, and malloc, calloc, aligned_alloc and
// mmap where libheddle.so calls them. Include it in one file of a program.
//
// Calls inside the C library do not fail: the driver is not responsible for those of the loader or
// of thread creation.
#pragma once

#include <climits>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <new>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): glibc's names
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

namespace failing_allocator {

enum class Threads { own, all };

struct State {
  std::atomic<long> left{LONG_MAX}; // allocations that still succeed
  std::atomic<long> failing{0};     // then this many fail
  std::atomic<long> failed{0};
  std::atomic<Threads> threads{Threads::own};
  std::atomic<bool> armed{false};
  std::uintptr_t begin = 0, end = 0; // libheddle.so
};
inline constinit State state;
inline thread_local constinit bool is_own = false;

// True if this allocation is to fail.
inline bool fails() noexcept {
  if (!state.armed.load(std::memory_order_relaxed) || (state.threads == Threads::own && !is_own))
    return false;
  if (state.left.fetch_sub(1) > 0)
    return false;
  if (state.failing.fetch_sub(1) <= 0)
    return false;
  ++state.failed;
  return true;
}

inline bool fails_for(const void* caller) noexcept {
  const auto at = reinterpret_cast<std::uintptr_t>(caller);
  return at >= state.begin && at < state.end && fails();
}

// Finds the loaded driver; false if it is not Heddle.
inline bool find_driver() {
  const auto look = [](dl_phdr_info* info, std::size_t, void*) {
    if (!std::strstr(info->dlpi_name, "libheddle.so"))
      return 0;
    for (int i = 0; i != info->dlpi_phnum; ++i)
      if (const auto& part = info->dlpi_phdr[i]; part.p_type == PT_LOAD && (part.p_flags & PF_X)) {
        state.begin = info->dlpi_addr + part.p_vaddr;
        state.end = state.begin + part.p_memsz;
      }
    return 1;
  };
  return dl_iterate_phdr(look, nullptr) == 1;
}

// From now on, after `first` successful ones, `count` allocations fail: of the calling thread, or
// of all threads.
inline void arm(long first, long count, Threads threads) {
  is_own = true;
  state.left = first;
  state.failing = count;
  state.failed = 0;
  state.threads = threads;
  state.armed = true;
}
// Returns how many have failed.
inline long disarm() {
  state.armed = false;
  return state.failed;
}

inline void* allocate(std::size_t bytes, std::size_t alignment) noexcept {
  if (fails())
    return nullptr;
  return alignment ? __libc_memalign(alignment, bytes) : __libc_malloc(bytes);
}
inline void* allocate_or_throw(std::size_t bytes, std::size_t alignment) {
  if (void* block = allocate(bytes, alignment))
    return block;
  throw std::bad_alloc();
}

} // namespace failing_allocator

#define FAILING_ALLOCATOR_EXPORT __attribute__((visibility("default"), noinline))

using std::align_val_t;
using std::nothrow_t;

void* operator new(std::size_t n) { return failing_allocator::allocate_or_throw(n, 0); }
void* operator new[](std::size_t n) { return failing_allocator::allocate_or_throw(n, 0); }
void* operator new(std::size_t n, align_val_t a) {
  return failing_allocator::allocate_or_throw(n, static_cast<std::size_t>(a));
}
void* operator new[](std::size_t n, align_val_t a) {
  return failing_allocator::allocate_or_throw(n, static_cast<std::size_t>(a));
}
void* operator new(std::size_t n, const nothrow_t&) noexcept {
  return failing_allocator::allocate(n, 0);
}
void* operator new[](std::size_t n, const nothrow_t&) noexcept {
  return failing_allocator::allocate(n, 0);
}
void* operator new(std::size_t n, align_val_t a, const nothrow_t&) noexcept {
  return failing_allocator::allocate(n, static_cast<std::size_t>(a));
}
void* operator new[](std::size_t n, align_val_t a, const nothrow_t&) noexcept {
  return failing_allocator::allocate(n, static_cast<std::size_t>(a));
}
void operator delete(void* p) noexcept { __libc_free(p); }
void operator delete[](void* p) noexcept { __libc_free(p); }
void operator delete(void* p, std::size_t) noexcept { __libc_free(p); }
void operator delete[](void* p, std::size_t) noexcept { __libc_free(p); }
void operator delete(void* p, align_val_t) noexcept { __libc_free(p); }
void operator delete[](void* p, align_val_t) noexcept { __libc_free(p); }
void operator delete(void* p, std::size_t, align_val_t) noexcept { __libc_free(p); }
void operator delete[](void* p, std::size_t, align_val_t) noexcept { __libc_free(p); }

extern "C" {

FAILING_ALLOCATOR_EXPORT void* malloc(std::size_t bytes) {
  return failing_allocator::fails_for(__builtin_return_address(0)) ? nullptr : __libc_malloc(bytes);
}
FAILING_ALLOCATOR_EXPORT void* calloc(std::size_t count, std::size_t bytes) {
  return failing_allocator::fails_for(__builtin_return_address(0)) ? nullptr
                                                                   : __libc_calloc(count, bytes);
}
FAILING_ALLOCATOR_EXPORT void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  return failing_allocator::fails_for(__builtin_return_address(0))
             ? nullptr
             : __libc_memalign(alignment, bytes);
}
FAILING_ALLOCATOR_EXPORT void* mmap(void* address, std::size_t bytes, int protection, int flags,
                                    int file, off_t offset) {
  if (failing_allocator::fails_for(__builtin_return_address(0))) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  return reinterpret_cast<void*>(
      syscall(SYS_mmap, address, bytes, protection, flags, file, offset));
}

} // extern "C"
