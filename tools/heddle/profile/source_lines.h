// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The source lines at which a kernel spent its time, from samples of its instructions.
#pragma once

#include "runtime/profile/profile_file.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace heddle {

struct SourceLines {
  std::uint64_t samples = 0; // all, also those of which no line is known
  std::map<std::pair<std::string, std::uint32_t>, std::uint64_t> at; // file and line
};

// Reads the units' files. Without the compiler's library no line is known, which is said on
// standard error.
SourceLines find_source_lines(const profile::KernelTimes& kernel);

} // namespace heddle
