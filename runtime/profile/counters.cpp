// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/profile/counters.h"

#include "runtime/core/thread_end.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace heddle::profile {
namespace {

struct Known {
  const char* name;
  std::uint32_t type;
  std::uint64_t config;
};
constexpr Known kKnown[] = {
    {"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
    {"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
    {"cache-references", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES},
    {"cache-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
    {"branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
    {"branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES},
    {"page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
    {"context-switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES},
    {"migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS},
    {"task-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK},
};

std::vector<Known> chosen;
std::vector<std::string> chosen_names;

// Of the calling thread; -1, with errno, if it cannot be had.
int open_counter(const Known& counter, int group) {
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.type = counter.type;
  attributes.config = counter.config;
  // Page faults and switches of user code happen in the kernel.
  attributes.exclude_kernel = counter.type == PERF_TYPE_HARDWARE;
  attributes.exclude_hv = 1;
  attributes.read_format = PERF_FORMAT_GROUP;
  return static_cast<int>(
      syscall(SYS_perf_event_open, &attributes, 0, -1, group, PERF_FLAG_FD_CLOEXEC));
}

struct ThreadCounters {
  int leader = -1;
  std::array<int, kMaxCounters> files{};
  std::size_t count = 0;
  bool is_open = false;
};
thread_local constinit ThreadCounters own{};

void close_own() noexcept {
  for (std::size_t i = 0; i < own.count; ++i)
    close(own.files[i]);
  own.count = 0;
  own.leader = -1;
}
thread_local constinit thread_end::Hook own_end{close_own};

void open_own() noexcept {
  own.is_open = true;
  thread_end::add(own_end);
  for (const auto& counter : chosen) {
    const int file = open_counter(counter, own.leader);
    if (file < 0)
      return close_own(); // no figures rather than those of another counter
    own.files[own.count++] = file;
    if (own.leader < 0)
      own.leader = file;
  }
}

} // namespace

const char* advice_for_events(int error) noexcept {
  switch (error) {
  case EACCES:
  case EPERM:
    return "the system does not allow it: sysctl kernel.perf_event_paranoid=1, and in a container "
           "the capability CAP_PERFMON";
  case ENOENT:
  case EOPNOTSUPP:
    return "this machine, perhaps a virtual one, has no such counter";
  case ENOSYS:
    return "the system has no perf_event_open";
  case EINVAL:
    return "not together with those before it";
  default:
    return std::strerror(error);
  }
}

std::string known_counters() {
  std::string names;
  for (const auto& counter : kKnown)
    names.append(names.empty() ? "" : ", ").append(counter.name);
  return names;
}

void choose_counters(std::string_view names) {
  std::vector<int> files;
  while (!names.empty()) {
    const auto word = names.substr(0, names.find(','));
    names.remove_prefix(std::min(word.size() + 1, names.size()));
    const auto* const found =
        std::find_if(std::begin(kKnown), std::end(kKnown),
                     [&](const Known& counter) { return word == counter.name; });
    const auto refuse = [&](const char* why) {
      std::fprintf(stderr, "heddle: HEDDLE_PROFILE_COUNTERS: '%.*s' is not counted: %s\n",
                   static_cast<int>(word.size()), word.data(), why);
    };
    if (found == std::end(kKnown)) {
      refuse(("known are " + known_counters()).c_str());
      continue;
    }
    if (chosen.size() == kMaxCounters) {
      refuse("there are too many before it");
      continue;
    }
    const int file = open_counter(*found, files.empty() ? -1 : files.front());
    if (file < 0) {
      refuse(advice_for_events(errno));
      continue;
    }
    files.push_back(file);
    chosen.push_back(*found);
    chosen_names.emplace_back(found->name);
  }
  for (const int file : files)
    close(file);
}

const std::vector<std::string>& chosen_counters() noexcept { return chosen_names; }

Counts read_counters() noexcept {
  Counts counts{};
  if (chosen.empty())
    return counts;
  if (!own.is_open)
    open_own();
  struct {
    std::uint64_t count;
    std::uint64_t values[kMaxCounters];
  } group{};
  if (own.leader >= 0 && read(own.leader, &group, sizeof group) > 0)
    std::copy(group.values, group.values + std::min<std::size_t>(group.count, kMaxCounters),
              counts.begin());
  return counts;
}

} // namespace heddle::profile
