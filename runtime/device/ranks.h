// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Processes of one parallel job on this machine (ranks), as their launcher tells them through the
// environment.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace heddle {

struct LocalRanks {
  unsigned size = 1;    // processes of the job on this machine
  unsigned rank = 0;    // which of them this is, below `size`
  std::string variable; // NAME=VALUE that told the size; empty: nothing did
};

// A variable's value; null if it is not set.
using Environment = std::function<const char*(const char* name)>;

// `wanted` (HEDDLE_LOCAL_RANKS) is taken as the size when it is not 0. Launchers known: Open MPI,
// MVAPICH, MPICH and Intel MPI, IBM's jsrun, Slurm's srun. Values that make no sense count as
// unset.
LocalRanks read_local_ranks(const Environment& environment, unsigned wanted);

// How many processors the launcher could hand out to the processes of the job: those of the
// affinity mask of the nearest ancestor that is no rank itself. Nothing if that cannot be told
// (another user's process, no /proc).
std::optional<unsigned> launcher_processors(const LocalRanks& ranks);

} // namespace heddle
