// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that fault: the command fails, everything else continues, and other faults are not
// affected.
#include "faulting_instructions.h" // of tests/runtime/TARGET
#include "runtime/execution/fault_guard.h"
#include "tests/runtime/engine.h"

#include <atomic>
#include <csetjmp>
#include <csignal>
#include <cstdlib>
#include <sched.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace heddle::test {
namespace {

enum class Kind { none, null, wild, division, illegal, overflow, wild_in_fiber, overflow_in_fiber };

// Inaccessible, also if sanitizers have mapped much of the address space.
void* const kWild = mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

std::string wild_text() {
  char text[32];
  std::snprintf(text, sizeof text, "%p", kWild);
  return text;
}

struct Job {
  Kind kind = Kind::none;
  std::uint64_t group = 0;
  std::uint64_t item = 0;
  std::atomic<int> groups{0};
};

// Without the sanitizers' instrumentation of calls that never return.
__attribute__((noinline, no_sanitize("all"))) int recurse(volatile int* depth) {
  volatile char frame[1024];
  frame[0] = static_cast<char>(*depth);
  *depth = *depth + 1;
  return *depth ? recurse(depth) + frame[0] : 0;
}

// Without checks of sanitizers: tests the hardware's exception.
__attribute__((no_sanitize("all"))) void fault(Kind kind) {
  volatile int zero = 0;
  volatile int depth = 1;
  switch (kind) {
  case Kind::null:
    *reinterpret_cast<volatile int*>(std::uintptr_t(zero) + 4) = 1;
    break;
  case Kind::wild:
  case Kind::wild_in_fiber:
    *static_cast<volatile int*>(kWild) = 1;
    break;
  case Kind::division:
    divide_by_zero();
    break;
  case Kind::illegal:
    execute_illegal_instruction();
    break;
  case Kind::overflow:
  case Kind::overflow_in_fiber:
    recurse(&depth);
    break;
  case Kind::none:
    break;
  }
}

void fault_item(const abi::Group* group, std::uint64_t index) {
  auto& job = argument<Job>(group->launch);
  group->worker->barrier(group->worker);
  set_item(group->worker, index);
  if (group->group_id[0] == job.group && index == job.item)
    fault(job.kind);
  group->worker->barrier(group->worker);
}

void run_job(const abi::Launch* launch, std::uint64_t first, std::uint64_t last,
             abi::Worker* worker) {
  auto& job = argument<Job>(launch);
  for (auto g = first; g < last; ++g) {
    const auto group = make_group(launch, g, worker);
    if (job.kind == Kind::wild_in_fiber || job.kind == Kind::overflow_in_fiber) {
      worker->run_fibers(&group, fault_item, group.local_size[0]);
    } else {
      for (std::uint64_t i = 0; i < group.local_size[0]; ++i) {
        set_item(worker, i);
        if (g == job.group && i == job.item)
          fault(job.kind);
      }
    }
    ++job.groups;
  }
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(FaultGuard, FaultsFailTheCommandAndNameThePlace) {
  const struct {
    Kind kind;
    std::string says;
  } cases[] = {
      {Kind::null, "0x4"},
      {Kind::wild, wild_text()},
      {Kind::division, "SIGFPE"},
      {Kind::illegal, "SIGILL"},
      {Kind::overflow, "overflow"},
      {Kind::wild_in_fiber, wild_text()},
      {Kind::overflow_in_fiber, "overflow"},
  };
  Engine engine;
  const auto queue = engine.queue();
  const auto other = engine.queue();
  for (int round = 0; round < 3; ++round)
    for (const auto& c : cases) {
      SCOPED_TRACE(c.says);
      if (c.kind == Kind::division && !kDivisionFaults)
        continue;
      const bool fibers = c.kind >= Kind::wild_in_fiber;
      // Recursion: the stack size is unknown.
      const bool unbounded = c.kind == Kind::overflow || c.kind == Kind::overflow_in_fiber;
      const TestKernel kernel(run_job, fibers, unbounded ? 0 : 16384);
      Job bad{c.kind, 37, 5}, good;
      engine.reports.clear();
      auto range = range_1d(64 * 16, 16);
      range.global_offset[0] = 1000;
      const auto failed = kernel.enqueue(*queue, &bad, range);
      const auto after = kernel.enqueue(*queue, &good, range);
      const auto beside = kernel.enqueue(*other, &good, range);
      queue->finish();
      other->finish();
      EXPECT_EQ(failed->status(), CL_OUT_OF_RESOURCES);
      EXPECT_EQ(after->status(), CL_COMPLETE);
      EXPECT_EQ(beside->status(), CL_COMPLETE);
      EXPECT_EQ(good.groups, 128);
      EXPECT_LT(bad.groups, 64);
      EXPECT_TRUE(has(engine.reports, "test_kernel")) << engine.reports;
      EXPECT_TRUE(has(engine.reports, c.says)) << engine.reports;
      EXPECT_TRUE(has(engine.reports, "1597")) << engine.reports; // 1000 + 37 * 16 + 5
    }
}

// Faults of the host program.
sigjmp_buf recovery;
volatile sig_atomic_t host_faults = 0;

void host_handler(int) {
  host_faults = host_faults + 1;
  siglongjmp(recovery, 1);
}

struct sigaction chained;
volatile sig_atomic_t chain_calls = 0;

// Calls the handler that it replaced if the fault is not its own.
void chaining_handler(int signal, siginfo_t* info, void* context) {
  chain_calls = chain_calls + 1;
  if (chained.sa_flags & SA_SIGINFO)
    chained.sa_sigaction(signal, info, context);
  else if (chained.sa_handler != SIG_DFL && chained.sa_handler != SIG_IGN)
    chained.sa_handler(signal);
}

void run_kernel(Engine& engine, Kind kind, cl_int expected) {
  const TestKernel kernel(run_job);
  Job job{kind, 0, 0};
  const auto event = kernel.enqueue(*engine.queue(), &job, range_1d(16, 16));
  event->wait();
  EXPECT_EQ(event->status(), expected);
}

// In a separate process, because signal handlers are per process.
template <class Body>
int in_child(Body body) {
  const auto child = fork();
  if (child == 0) {
    alarm(60);
    body();
    _exit(testing::Test::HasFailure() ? 1 : 0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

void fault_on_host(int expected_faults) {
  if (sigsetjmp(recovery, 1) == 0)
    fault(Kind::wild);
  EXPECT_EQ(host_faults, expected_faults);
}

TEST(FaultGuard, HostHandlerFromBeforeGetsItsOwnFaults) {
  EXPECT_EQ(in_child([] {
              struct sigaction action {};
              action.sa_handler = host_handler;
              sigaction(SIGSEGV, &action, nullptr);
              usleep(20'000); // another test's kernel may have run just now
              Engine engine;
              run_kernel(engine, Kind::null, CL_OUT_OF_RESOURCES);
              fault_on_host(1);
              fault_on_host(2);
              run_kernel(engine, Kind::null, CL_OUT_OF_RESOURCES);
              fault_on_host(3);
            }),
            0);
}

TEST(FaultGuard, HostHandlerFromLaterIsChained) {
  EXPECT_EQ(in_child([] {
              struct sigaction action {};
              action.sa_handler = host_handler;
              sigaction(SIGSEGV, &action, nullptr);
              Engine engine;
              run_kernel(engine, Kind::none, CL_COMPLETE); // Heddle's handlers are there now
              action.sa_sigaction = chaining_handler;
              action.sa_flags = SA_SIGINFO;
              sigaction(SIGSEGV, &action, &chained);
              usleep(20'000); // Heddle checks its handlers periodically
              run_kernel(engine, Kind::null, CL_OUT_OF_RESOURCES);
              // Heddle's handler, then the later one, which calls Heddle's, then the first one.
              for (int i = 1; i <= 3; ++i) {
                fault_on_host(i);
                EXPECT_EQ(chain_calls, i);
              }
              run_kernel(engine, Kind::null, CL_OUT_OF_RESOURCES);
              EXPECT_EQ(host_faults, 3);
            }),
            0);
}

TEST(FaultGuard, FaultWithoutHostHandlerEndsTheProcess) {
  EXPECT_EQ(in_child([] {
              struct sigaction none {};
              none.sa_handler = SIG_DFL;
              sigaction(SIGSEGV, &none, nullptr);
              Engine engine;
              run_kernel(engine, Kind::null, CL_OUT_OF_RESOURCES);
              fault(Kind::wild);
            }),
            1000 + SIGSEGV);
}

TEST(FaultGuard, RunGuardedSurvivesFaultsAndAborts) {
  for (int round = 0; round < 3; ++round) {
    Fault seen;
    EXPECT_TRUE(fault_guard::run_guarded([] {}, &seen));
    EXPECT_FALSE(fault_guard::run_guarded([] { fault(Kind::wild); }, &seen));
    EXPECT_EQ(seen.signal, SIGSEGV);
    EXPECT_EQ(seen.address, kWild);
    seen = {};
    EXPECT_FALSE(fault_guard::run_guarded([] { std::abort(); }, &seen));
    EXPECT_EQ(seen.signal, SIGABRT);
    seen = {};
    EXPECT_FALSE(fault_guard::run_guarded([] { fault_guard::leave_guarded("too much"); }, &seen));
    EXPECT_EQ(seen.signal, 0);
    EXPECT_EQ(seen.message, "too much");
  }
}

// None of the threads relies on handlers that another one is about to install.
TEST(FaultGuard, FirstThreadsOfAProcessSurviveAborts) {
  for (int round = 0; round < 300; ++round) {
    const int status = in_child([] {
      constexpr int kThreads = 4;
      std::atomic<int> ready{0};
      std::vector<std::thread> threads;
      for (int i = 0; i < kThreads; ++i)
        threads.emplace_back([&ready] {
          ready.fetch_add(1);
          while (ready.load() < kThreads)
            sched_yield();
          Fault seen;
          EXPECT_FALSE(fault_guard::run_guarded([] { std::abort(); }, &seen));
        });
      for (auto& thread : threads)
        thread.join();
    });
    ASSERT_EQ(status, 0) << "round " << round;
  }
}

} // namespace
} // namespace heddle::test
