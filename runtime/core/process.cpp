// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/process.h"

#include "runtime/core/handle_table.h"

#include <atomic>
#include <pthread.h>

namespace heddle::process {
namespace {

std::atomic<unsigned> generation{0};

void before_fork() { handle_table::lock_for_fork(); }
void after_fork_in_parent() { handle_table::unlock_after_fork(); }
void after_fork_in_child() {
  handle_table::unlock_after_fork();
  generation.fetch_add(1, std::memory_order_relaxed);
}

} // namespace

void watch_forks() noexcept {
  static const int once = pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
  (void)once;
}

bool is_forked_child() noexcept { return generation.load(std::memory_order_relaxed) != 0; }
unsigned fork_generation() noexcept { return generation.load(std::memory_order_relaxed); }

} // namespace heddle::process
