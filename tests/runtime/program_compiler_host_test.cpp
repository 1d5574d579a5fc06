// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any failure inside the compiler library is a failed build with a log, and the next build works.
// HEDDLE_FAKE_COMPILER is the library built from fake_compiler.cpp.
#include "runtime/program/compiler_host.h"
#include "runtime/program/compiler_library.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <thread>
#include <vector>

namespace heddle {
namespace {

// Options are read once, at the first use.
const bool kEnvironmentIsSet = [] {
  setenv("HEDDLE_COMPILER", HEDDLE_FAKE_COMPILER, 1);
  setenv("HEDDLE_BUILD_SECONDS", "1", 1);
  return true;
}();

CompileResult compile(const char* source) {
  CompileRequest request;
  request.goal = HEDDLE_GOAL_OBJECT;
  request.source = source;
  return compiler_host::run(std::move(request));
}

void expect_failure(const char* source, const char* named) {
  const auto result = compile(source);
  EXPECT_EQ(result.status, HEDDLE_BUILD_FAILURE) << source;
  EXPECT_NE(result.log.find(named), std::string::npos) << source << ": " << result.log;
  EXPECT_TRUE(result.output.empty()) << source;
  EXPECT_EQ(compile("").status, HEDDLE_OK) << "after " << source;
}

TEST(CompilerHost, Success) {
  const auto result = compile("");
  EXPECT_EQ(result.status, HEDDLE_OK);
  EXPECT_EQ(result.output.size(), 4u);
}

TEST(CompilerHost, ChosenLibraryIsUsedForAll) {
  EXPECT_EQ(&compiler_library::library(false), &compiler_library::library(true));
}

TEST(CompilerHost, Error) { EXPECT_EQ(compile("error").log, "error: told to\n"); }
TEST(CompilerHost, Crash) { expect_failure("crash", "SIGSEGV"); }
TEST(CompilerHost, Abort) { expect_failure("abort", "SIGABRT"); }
TEST(CompilerHost, FatalError) { expect_failure("fatal", "no such instruction"); }
TEST(CompilerHost, StackOverflow) { expect_failure("overflow", "SIGSEGV"); }

// The thread is forced to leave and uses no more processor time.
TEST(CompilerHost, EndlessBuild) {
  const auto start = std::chrono::steady_clock::now();
  expect_failure("endless", "HEDDLE_BUILD_SECONDS");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
  const auto processor_time = std::clock();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_LT(std::clock() - processor_time, CLOCKS_PER_SEC / 10);
}

// The limit is one of processor time, with a larger one of wall time.
TEST(CompilerHost, BuildThatWaits) {
  EXPECT_EQ(compile("slow").status, HEDDLE_OK);
  const auto start = std::chrono::steady_clock::now();
  expect_failure("asleep", "HEDDLE_BUILD_SECONDS");
  EXPECT_GT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
}

TEST(CompilerHost, FaultsInSeveralThreads) {
  std::vector<std::thread> threads;
  for (const char* source : {"crash", "", "abort", "overflow", "error", "fatal", "", "crash"})
    threads.emplace_back([source] {
      for (int i = 0; i < 20; ++i)
        EXPECT_EQ(compile(source).status, *source ? HEDDLE_BUILD_FAILURE : HEDDLE_OK) << source;
    });
  for (auto& thread : threads)
    thread.join();
}

} // namespace
} // namespace heddle
