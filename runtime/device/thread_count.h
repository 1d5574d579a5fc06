// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The number of compute units, and the reason for it.
#pragma once

#include "runtime/device/ranks.h"

#include <optional>
#include <string>
#include <vector>

namespace heddle {

// What decides.
struct ThreadLimits {
  unsigned affinity = 1;         // processors of the affinity mask
  std::optional<unsigned> quota; // of the control groups, in processors
  unsigned wanted = 0;           // HEDDLE_NUM_THREADS; 0: not set
  std::vector<int> processors;   // HEDDLE_PROCESSORS; empty: not set
  LocalRanks ranks;
  unsigned job_processors = 0; // what the launcher could hand out to all ranks; 0: not known
};

struct ThreadChoice {
  unsigned count = 1;   // at least 1
  unsigned sharers = 1; // ranks, this one included, that use the processors of the mask
  unsigned first = 0; // the first processor of this rank's share, as an index into the mask's list
  std::vector<int> cpus; // to which threads are pinned; empty: not pinned
  std::string reason;    // one sentence without a full stop
};

// The minimum of the affinity mask's processors and the control groups' CPU quota. Ranks of a job
// share both: those that have the same mask share its processors, all of them share the quota, and
// the first ones get the remainder. How many have the same mask follows from how often all masks
// together cover the launcher's: once if each rank is bound to processors of its own, `ranks.size`
// times if none is bound. `processors` and `wanted` are taken as given, even if they exceed the
// hardware.
ThreadChoice choose_threads(const ThreadLimits& limits);

// For this process; computed at the first call.
const ThreadChoice& thread_choice();
unsigned thread_count();

} // namespace heddle
