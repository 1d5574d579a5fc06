// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <span>
#include <string>
#include <vector>

namespace heddle::processor {

// Of `wanted` those that are among the words of a line of /proc/cpuinfo about the first processor.
std::vector<std::string> cpuinfo_words(const char* line, std::span<const char* const> wanted);

} // namespace heddle::processor
