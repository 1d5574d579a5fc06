// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lists of processors: as Linux writes them in /sys ("0-3,8,10-11"), and affinity masks.
#pragma once

#include <string_view>
#include <vector>

namespace heddle {

// In the order they stand there; empty if the text is anything else. A newline may end it.
std::vector<int> parse_cpu_list(std::string_view text);

// The logical processors of a process's affinity mask (0: this process), in order. Empty for
// another process that does not exist any more.
std::vector<int> affinity_cpus(int process = 0);

} // namespace heddle
