// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/device/thread_count.h"

#include "runtime/core/options.h"
#include "runtime/device/cpu_list.h"
#include "runtime/device/machine.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

namespace heddle {
namespace {

std::string processors(unsigned count) {
  return std::to_string(count) + (count == 1 ? " processor" : " processors");
}

// How many ranks use the same processors as this one.
unsigned sharers_of(const ThreadLimits& limits) {
  const std::uint64_t all = std::max(limits.job_processors, std::max(1u, limits.affinity));
  const std::uint64_t covered = std::uint64_t{limits.ranks.size} * std::max(1u, limits.affinity);
  return static_cast<unsigned>(
      std::clamp<std::uint64_t>((covered + all - 1) / all, 1, limits.ranks.size));
}

// What the index-th of `parts` gets of `whole`; zero where there is not one for each.
unsigned part_of(unsigned whole, unsigned parts, unsigned index) {
  return whole / parts + (index < whole % parts ? 1 : 0);
}

} // namespace

ThreadChoice choose_threads(const ThreadLimits& limits) {
  ThreadChoice choice;
  if (!limits.processors.empty()) {
    choice.count =
        limits.wanted != 0 ? limits.wanted : static_cast<unsigned>(limits.processors.size());
    for (unsigned i = 0; i < choice.count; ++i)
      choice.cpus.push_back(limits.processors[i % limits.processors.size()]);
    choice.reason = limits.wanted != 0 ? "HEDDLE_NUM_THREADS=" + std::to_string(limits.wanted)
                                       : "HEDDLE_PROCESSORS names " + processors(choice.count);
    return choice;
  }
  const auto& ranks = limits.ranks;
  const unsigned mask = std::max(1u, limits.affinity);
  choice.sharers = sharers_of(limits);
  const unsigned index = ranks.rank % choice.sharers;
  const unsigned share = part_of(mask, choice.sharers, index);
  choice.first = share == 0
                     ? index % mask
                     : index * (mask / choice.sharers) + std::min(index, mask % choice.sharers);
  if (limits.wanted != 0) {
    choice.count = limits.wanted;
    choice.reason = "HEDDLE_NUM_THREADS=" + std::to_string(limits.wanted);
    return choice;
  }
  choice.count = std::max(1u, share);
  choice.reason = "the affinity mask has " + processors(mask);
  if (choice.sharers > 1)
    choice.reason +=
        ", which " + std::to_string(choice.sharers) + " processes share (" + ranks.variable + ")";
  else if (ranks.size > 1)
    choice.reason +=
        ", for this one of " + std::to_string(ranks.size) + " processes (" + ranks.variable + ")";
  if (!limits.quota)
    return choice;
  const unsigned allowed =
      std::max(1u, part_of(*limits.quota, ranks.size, ranks.rank % ranks.size));
  if (allowed >= choice.count)
    return choice;
  choice.count = allowed;
  choice.reason = "the control group's quota allows " + processors(*limits.quota) + " of " +
                  std::to_string(mask) + " in the affinity mask";
  if (ranks.size > 1)
    choice.reason +=
        ", which " + std::to_string(ranks.size) + " processes share (" + ranks.variable + ")";
  return choice;
}

namespace {

// HEDDLE_PROCESSORS, each once; one that names nothing that is there counts as unset.
std::vector<int> wanted_processors() {
  const auto& text = options().PROCESSORS;
  auto cpus = parse_cpu_list(text);
  std::sort(cpus.begin(), cpus.end());
  cpus.erase(std::unique(cpus.begin(), cpus.end()), cpus.end());
  const long configured = sysconf(_SC_NPROCESSORS_CONF);
  if (!text.empty() && (cpus.empty() || cpus.back() >= configured)) {
    std::fprintf(stderr,
                 "heddle: HEDDLE_PROCESSORS=%s is not understood: it takes a list as 0-3,8 of this "
                 "machine's %ld processors; the default is used\n",
                 text.c_str(), configured);
    return {};
  }
  return cpus;
}

} // namespace

const ThreadChoice& thread_choice() {
  static const ThreadChoice& choice = *[] {
    ThreadLimits limits;
    limits.affinity = static_cast<unsigned>(affinity_cpus().size());
    limits.quota = machine().cgroup.cpus;
    limits.wanted = options().NUM_THREADS;
    limits.processors = wanted_processors();
    limits.ranks = read_local_ranks(getenv, options().LOCAL_RANKS);
    if (limits.ranks.size > 1) {
      limits.job_processors = static_cast<unsigned>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
      if (options().LOCAL_RANKS != 0)
        limits.job_processors = limits.affinity; // whoever says so knows that they share
      else if (const auto launcher = launcher_processors(limits.ranks))
        limits.job_processors = *launcher;
      // The launcher of Slurm is the superuser's; it tells what the job has of the machine.
      else if (const char* text = std::getenv("SLURM_CPUS_ON_NODE"); text && std::atoi(text) > 0)
        limits.job_processors = static_cast<unsigned>(std::atoi(text));
    }
    return new ThreadChoice(choose_threads(limits));
  }();
  return choice;
}

unsigned thread_count() { return thread_choice().count; }

} // namespace heddle
