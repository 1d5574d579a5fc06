// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is done when a thread ends, and functions of the program, which do not run on TBB's threads.
#include "runtime/core/program_code.h"
#include "runtime/core/thread_end.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <thread>
#include <unistd.h>

namespace heddle::test {
namespace {

std::string calls;

thread_local constinit thread_end::Hook first{[]() noexcept { calls += "first "; }};
thread_local constinit thread_end::Hook second{[]() noexcept { calls += "second "; }};

// Older than the hooks of its thread.
struct UsesAtEnd {
  ~UsesAtEnd() {
    calls += "destructor ";
    thread_end::add(second);
  }
};

TEST(ThreadEnd, AfterThreadLocals) {
  calls.clear();
  std::thread([] {
    thread_local UsesAtEnd user;
    (void)user;
    thread_end::add(first);
    thread_end::add(first);
    EXPECT_EQ(calls, "");
  }).join();
  EXPECT_EQ(calls, "destructor second first ");
}

TEST(ThreadEnd, AgainAfterItWasCalled) {
  calls.clear();
  static thread_local constinit int left = 2;
  static thread_local constinit thread_end::Hook again{nullptr};
  std::thread([] {
    again.function = []() noexcept {
      calls += "again ";
      if (--left != 0)
        thread_end::add(again);
    };
    thread_end::add(again);
  }).join();
  EXPECT_EQ(calls, "again again ");
}

// The thread goes on: with the program's handlers and static objects.
TEST(ThreadEndDeathTest, NotAtExit) {
  const auto leave = [] {
    static thread_local constinit thread_end::Hook wrong{[]() noexcept { _exit(3); }};
    std::thread([] {
      thread_end::add(wrong);
      std::exit(5);
    }).join();
  };
  EXPECT_EXIT(leave(), testing::ExitedWithCode(5), "");
}

TEST(ProgramCode, NotOnBorrowedThreads) {
  std::thread::id ran;
  const auto note = [&ran] { ran = std::this_thread::get_id(); };
  program_code::call(note);
  EXPECT_EQ(ran, std::this_thread::get_id());
  EXPECT_FALSE(program_code::had_to_move());
  {
    const program_code::BorrowedThread borrowed;
    program_code::call(note);
    EXPECT_NE(ran, std::this_thread::get_id());
    EXPECT_TRUE(program_code::had_to_move());
  }
  program_code::call(note);
  EXPECT_EQ(ran, std::this_thread::get_id());
}

} // namespace
} // namespace heddle::test
