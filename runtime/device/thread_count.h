// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The number of compute units.
#pragma once

#include <optional>
#include <vector>

namespace heddle {

// The minimum of the affinity mask's processors and the control groups' CPU quota, or `wanted`
// (HEDDLE_NUM_THREADS) if that is not 0, even if it exceeds the hardware. At least 1.
unsigned choose_thread_count(unsigned affinity, std::optional<unsigned> quota, unsigned wanted);

// For this process; computed at the first call.
unsigned thread_count();

// Logical processors of the process's affinity mask, in order.
std::vector<int> affinity_cpus();

} // namespace heddle
