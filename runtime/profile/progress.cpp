// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/profile/progress.h"

#include "runtime/core/clock.h"
#include "runtime/core/lock.h"
#include "runtime/core/process.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <string>
#include <thread>
#include <unistd.h>

namespace heddle::progress {

bool is_shown = false;

class Running {
 public:
  bool is_used = false;
  std::array<char, 64> kernel{}; // ends with a zero
  std::uint64_t began = 0;
  std::uint64_t groups = 0;
  std::atomic<std::uint64_t> done{0};
};

namespace {

// On a terminal the line is overwritten; into a file a new one is written each time.
constexpr std::chrono::milliseconds kOnTerminal{500}, kIntoFile{5000};

struct State {
  SleepingMutex mutex;
  std::array<Running, 64> all HEDDLE_GUARDED_BY(mutex);
  std::atomic<std::uint64_t> done{0};
  bool has_thread HEDDLE_GUARDED_BY(mutex) = false;
};

State& state() {
  static auto& made = *new State; // threads may still run when the process exits
  return made;
}

// The line; of the kernels that run, the one that has run longest.
std::string describe() {
  auto& now = state();
  char line[256];
  const auto done = static_cast<unsigned long long>(now.done.load(std::memory_order_relaxed));
  const Lock lock(now.mutex);
  const Running* oldest = nullptr;
  unsigned count = 0;
  for (const auto& each : now.all)
    if (each.is_used) {
      ++count;
      if (!oldest || each.began < oldest->began)
        oldest = &each;
    }
  if (!oldest) {
    std::snprintf(line, sizeof line, "heddle: %llu kernels done", done);
    return line;
  }
  const auto groups = oldest->groups == 0 ? 1 : oldest->groups;
  const auto ran = std::min(oldest->done.load(std::memory_order_relaxed), groups);
  std::snprintf(line, sizeof line,
                "heddle: %llu kernels done, '%s' runs for %.1f s: %.0f %% of %llu groups", done,
                oldest->kernel.data(),
                static_cast<double>(monotonic_nanoseconds() - oldest->began) * 1e-9,
                100.0 * static_cast<double>(ran) / static_cast<double>(groups),
                static_cast<unsigned long long>(groups));
  std::string text = line;
  if (count > 1)
    text += ", and " + std::to_string(count - 1) + " more";
  return text;
}

void show_forever() {
  const bool is_terminal = isatty(STDERR_FILENO) != 0;
  std::string last;
  for (;;) {
    std::this_thread::sleep_for(is_terminal ? kOnTerminal : kIntoFile);
    const auto line = describe();
    if (line == last)
      continue;
    std::fprintf(stderr, is_terminal ? "\r\033[K%s" : "%s\n", line.c_str());
    last = line;
  }
}

void end_line() noexcept {
  if (!process::is_forked_child() && isatty(STDERR_FILENO))
    std::fputs("\r\033[K", stderr);
}

void start_thread(State& now) noexcept HEDDLE_REQUIRES(now.mutex) {
  now.has_thread = true;
  try {
    std::thread(show_forever).detach();
  } catch (const std::system_error&) {
    std::fputs("heddle: HEDDLE_PROGRESS: no thread to show it\n", stderr);
  }
}

} // namespace

void start() noexcept {
  const auto* const given = std::getenv("HEDDLE_PROGRESS");
  if (!given || *given == '\0' || std::strcmp(given, "0") == 0)
    return;
  (void)state();
  process::at_exit<end_line>();
  is_shown = true;
}

Running* begin(std::string_view kernel, std::uint64_t groups) noexcept {
  if (process::is_forked_child())
    return nullptr;
  auto& now = state();
  const Lock lock(now.mutex);
  if (!now.has_thread)
    start_thread(now);
  for (auto& each : now.all) {
    if (each.is_used)
      continue;
    each.is_used = true;
    const auto length = std::min(kernel.size(), each.kernel.size() - 1);
    std::memcpy(each.kernel.data(), kernel.data(), length);
    each.kernel[length] = '\0';
    each.began = monotonic_nanoseconds();
    each.groups = groups;
    each.done.store(0, std::memory_order_relaxed);
    return &each;
  }
  return nullptr;
}

void add_groups(Running& running, std::uint64_t groups) noexcept {
  running.done.fetch_add(groups, std::memory_order_relaxed);
}

void end(Running* running) noexcept {
  auto& now = state();
  now.done.fetch_add(1, std::memory_order_relaxed);
  if (!running)
    return;
  const Lock lock(now.mutex);
  running->is_used = false;
}

} // namespace heddle::progress
