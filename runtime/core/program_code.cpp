// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/program_code.h"

#include <atomic>
#include <exception>
#include <thread>

namespace heddle::program_code {
namespace {

thread_local constinit bool is_borrowed = false;
std::atomic<bool> has_moved{false};

} // namespace

void call(const std::function<void()>& function) noexcept {
  if (is_borrowed) {
    has_moved.store(true, std::memory_order_relaxed);
    try {
      std::thread([&function]() noexcept { function(); }).join();
      return;
    } catch (const std::exception&) {
    }
  }
  function();
}

BorrowedThread::BorrowedThread() noexcept { is_borrowed = true; }
BorrowedThread::~BorrowedThread() { is_borrowed = false; }
bool is_thread_borrowed() noexcept { return is_borrowed; }
bool had_to_move() noexcept { return has_moved.load(std::memory_order_relaxed); }

} // namespace heddle::program_code
