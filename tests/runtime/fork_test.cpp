// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fork(): parent and child continue, also with running commands; exit with pending commands is
// clean.
#include "tests/runtime/engine.h"

#include <set>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
// Memory of the parent's threads is leaked in a forked child, in which they do not exist.
extern "C" __attribute__((visibility("default"))) const char* __asan_default_options() {
  return "detect_leaks=0";
}
#endif

namespace heddle::test {
namespace {

void add_one(const abi::Launch* launch, std::uint64_t first, std::uint64_t last, abi::Worker*) {
  auto& values = argument<std::vector<std::atomic<int>>>(launch);
  for (auto g = first; g < last; ++g)
    for (std::uint64_t i = 0; i < launch->local_size[0]; ++i)
      ++values[g * launch->local_size[0] + i];
}

bool works() {
  Engine engine;
  const auto queue = engine.queue();
  const TestKernel kernel(add_one);
  std::vector<std::atomic<int>> values(1 << 16);
  for (int i = 0; i < 10; ++i)
    kernel.enqueue(*queue, &values, range_1d(values.size(), 64));
  queue->finish();
  for (auto& value : values)
    if (value != 10)
      return false;
  return true;
}

int end_of(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

// The child exits normally, with destructors.
int child_works() {
  const auto child = fork();
  if (child == 0) {
    alarm(60);
    const bool first = works();
    const auto grandchild = fork();
    if (grandchild == 0) {
      alarm(60);
      exit(works() ? 0 : 1);
    }
    exit(first && end_of(grandchild) == 0 && works() ? 0 : 1);
  }
  return end_of(child);
}

#if defined(__SANITIZE_THREAD__)
#define SKIP_UNDER_THREAD_SANITIZER()                                                              \
  GTEST_SKIP() << "it does not bear new threads in the child of a program with threads"
#else
#define SKIP_UNDER_THREAD_SANITIZER() (void)0
#endif

TEST(Fork, BothGoOn) {
  SKIP_UNDER_THREAD_SANITIZER();
  EXPECT_EQ(child_works(), 0);
  EXPECT_TRUE(works());
  EXPECT_EQ(child_works(), 0);
  EXPECT_TRUE(works());
}

TEST(Fork, WhileCommandsRun) {
  SKIP_UNDER_THREAD_SANITIZER();
  Engine engine;
  const auto queue = engine.queue();
  const TestKernel kernel(add_one);
  std::vector<std::atomic<int>> values(1 << 18);
  for (int round = 0; round < 5; ++round) {
    for (int i = 0; i < 20; ++i)
      kernel.enqueue(*queue, &values, range_1d(values.size(), 64));
    EXPECT_EQ(child_works(), 0);
  }
  queue->finish();
  for (auto& value : values)
    ASSERT_EQ(value, 100);
}

// The number of threads that a child uses for commands enqueued long after the preceding one has
// ended.
int threads_for_single_commands() {
  Engine engine;
  const auto queue = engine.queue();
  std::set<pid_t> threads;
  for (int i = 0; i < 50; ++i) {
    std::atomic<pid_t> thread{0};
    call(*queue, [&thread]() -> cl_int {
      thread = gettid();
      return CL_COMPLETE;
    });
    if (!eventually([&] { return thread != 0; })) // no thread spin-waits for it
      return 1000;
    threads.insert(thread);
    queue->finish();
    usleep(1000);
  }
  return static_cast<int>(threads.size());
}

TEST(Fork, ChildKeepsItsThreads) {
  SKIP_UNDER_THREAD_SANITIZER();
  const auto units = Engine().device->compute_units();
  const auto child = fork();
  if (child == 0) {
    alarm(60);
    exit(threads_for_single_commands());
  }
  EXPECT_LE(end_of(child), static_cast<int>(units) + 2); // not one for each of the 50
}

void sleep_a_little(const abi::Launch*, std::uint64_t first, std::uint64_t last, abi::Worker*) {
  for (auto g = first; g < last; ++g)
    usleep(500);
}

TEST(Exit, WithCommandsInFlight) {
  for (int round = 0; round < 10; ++round) {
    const auto child = fork();
    if (child == 0) {
      alarm(60);
      execl("/proc/self/exe", "test", "--exit-in-flight", nullptr);
      _exit(99);
    }
    EXPECT_EQ(end_of(child), 0);
  }
}

} // namespace

int exit_in_flight() {
  static Engine engine;
  static const auto queue = engine.queue();
  static const TestKernel kernel(sleep_a_little);
  static int nothing = 0;
  for (int i = 0; i < 100; ++i)
    kernel.enqueue(*queue, &nothing, range_1d(1000, 1));
  usleep(2000);
  return 0;
}

} // namespace heddle::test

int main(int argc, char** argv) {
  if (argc == 2 && std::string(argv[1]) == "--exit-in-flight")
    // The test's objects must outlive running commands, so they are leaked.
    std::exit(heddle::test::exit_in_flight());
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
