// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What HEDDLE_PROFILE writes at the end of a process, and `heddle profile` reads.
//
// Lines of words between tabs, the first one of which says what the line is:
//
//   heddle-profile  3
//   process    seconds, compute units, names of counters
//   kernel     name, local size (3), as in KernelTimes
//   unit       of the kernel above it, as in UnitTimes
//   remark     of the unit above it
//   samples    likewise, as in UnitSamples
//   activity   likewise: the length of an interval, and how long it ran in each
//   build      as in BuildTimes
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heddle::profile {

// Times are in nanoseconds.
struct UnitTimes {
  std::string code; // "plain", "quick" or "optimized"
  std::uint32_t lanes = 1;
  std::uint32_t rows = 1;
  std::uint64_t groups = 0;
  std::uint64_t thread_time = 0; // of all threads together
  std::vector<std::string> remarks;
  bool operator==(const UnitTimes&) const = default;
};

// Where threads were in a unit (HEDDLE_PROFILE_LINES).
struct UnitSamples {
  std::string unit; // path of its file; empty: the threads were elsewhere
  std::vector<std::pair<std::uint64_t, std::uint64_t>> counts; // by offset of the instruction
  bool operator==(const UnitSamples&) const = default;
};

// The launches of a kernel in groups of one size.
struct KernelTimes {
  std::string name;
  std::array<std::uint64_t, 3> local_size{};
  std::uint64_t launches = 0;
  std::uint64_t failed = 0; // of them
  std::uint64_t time = 0;   // from the start of a launch to its end
  std::uint64_t median = 0;
  std::uint64_t least = 0;
  std::uint64_t most = 0;
  std::uint64_t work_items = 0;
  std::uint64_t waited = 0;    // from enqueue to start
  std::uint64_t estimated = 0; // launches for which the following are known
  std::uint64_t guessed = 0;   // of them: trip counts are guessed
  double estimated_time = 0;   // of these
  double flops = 0;
  double double_flops = 0; // of them, those on doubles
  double bytes_read = 0;
  double bytes_written = 0;
  std::vector<std::uint64_t> counters; // in the order of Profile::counters
  std::vector<UnitTimes> units;
  std::vector<UnitSamples> samples;
  std::uint64_t interval = 0;     // of what follows, from the start of the process
  std::vector<std::uint64_t> ran; // up to the last interval in which it did
  bool operator==(const KernelTimes&) const = default;
};

struct BuildTimes {
  std::string kernel; // empty: of programs
  std::uint64_t builds = 0;
  std::uint64_t loads = 0; // from the cache
  std::uint64_t time = 0;
  std::uint64_t processor_time = 0;
  bool operator==(const BuildTimes&) const = default;
};

struct Profile {
  double seconds = 0; // since the driver was loaded
  unsigned compute_units = 0;
  std::vector<std::string> counters;
  std::vector<KernelTimes> kernels;
  std::vector<BuildTimes> builds;
  bool operator==(const Profile&) const = default;
};

std::string to_text(const Profile& profile);
// Nothing if the text is not a whole file of this version.
std::optional<Profile> from_text(std::string_view text);

} // namespace heddle::profile
