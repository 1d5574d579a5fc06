// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The profiles of a program's processes as one, and the figures that follow from the sums.
#pragma once

#include "runtime/profile/profile_file.h"
#include "tools/heddle/profile/roofline.h"
#include "tools/heddle/profile/source_lines.h"

#include <optional>
#include <string>
#include <vector>

namespace heddle {

struct KernelFigures {
  const profile::KernelTimes* sums = nullptr;
  std::string groups; // "64x4"
  double share = 0;   // of the time of all kernels
  double items_per_second = 0;
  double busy = 0;                 // part of the time of all compute units, 0 to 1
  std::optional<double> flops;     // a second; nothing if it is not estimated
  std::optional<double> bandwidth; // bytes a second
  bool is_guessed = false;         // because of loops whose trip counts are not known
  std::optional<double> intensity; // operations a byte
  std::optional<double> of_roof;   // the least time on this machine by the time that it took
  double build_time = 0;           // of its units, in nanoseconds of a thread
  std::uint64_t builds = 0, loads = 0;
  SourceLines lines;
  std::string unit;                 // that most of the time went into: "optimized, 8 lanes"
  std::vector<std::string> remarks; // of it
};

struct Summary {
  profile::Profile profile;
  unsigned processes = 0;
  std::optional<Roofline> roofline;
  double kernel_time = 0;             // nanoseconds
  std::vector<KernelFigures> kernels; // that with the most time first

  Summary(const std::vector<profile::Profile>& profiles, std::optional<Roofline> machine);
  // What no kernel can be; a tenth more may be a matter of measuring.
  bool has_kernel_above_roof() const;
  // Then the estimate of its operations is wrong: it counts as a guess.
  void doubt_above_roof();
  Summary(const Summary&) = delete;
  Summary& operator=(const Summary&) = delete;
};

// "64x4" for 64, 4, 1.
std::string groups_text(const profile::KernelTimes& kernel);

} // namespace heddle
