// How many compute units the device has, and why so many.
#pragma once

#include "runtime/device/ranks.h"

#include <optional>
#include <string>
#include <vector>

namespace heddle {

// What decides, each as it was found.
struct ThreadLimits {
  unsigned affinity = 1;         // processors of the affinity mask
  std::optional<unsigned> quota; // of the control groups, in processors
  unsigned wanted = 0;           // HEDDLE_NUM_THREADS; 0: not set
  std::vector<int> processors;   // HEDDLE_PROCESSORS; empty: not set
  LocalRanks ranks;
  unsigned job_processors = 0; // what the launcher could hand out to all ranks; 0: not known
};

struct ThreadChoice {
  unsigned count = 1;    // at least 1
  unsigned sharers = 1;  // ranks, this one included, that use the processors of the mask
  unsigned first = 0;    // where this one's share begins in the mask's list of processors
  std::vector<int> cpus; // where threads stay; empty: wherever the system puts them in the mask
  std::string reason;    // one sentence without a full stop
};

// The least of the affinity mask and the quota. Ranks of a job share both: those that have the same
// mask its processors, all of them the quota, the first ones getting what is left over. How many
// have the same mask follows from how often all masks together cover the launcher's: once if each
// rank is bound to processors of its own, `ranks.size` times if none is bound. `wanted` is taken as
// given, even where it exceeds the hardware.
ThreadChoice choose_threads(const ThreadLimits& limits);

// For this process, as it was at the first call.
const ThreadChoice& thread_choice();
unsigned thread_count();

// Logical processors of the affinity mask of a process (0: this one), in order. Of another process
// that is gone: none.
std::vector<int> affinity_cpus(int process = 0);

} // namespace heddle
