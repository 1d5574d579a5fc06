// How many compute units the device has.
#pragma once

#include <optional>
#include <vector>

namespace heddle {

// The least of the affinity mask and the control groups' CPU quota; `wanted` (HEDDLE_NUM_THREADS)
// is taken as given when it is not 0, even where it exceeds the hardware. At least 1.
unsigned choose_thread_count(unsigned affinity, std::optional<unsigned> quota, unsigned wanted);

// For this process, as it was at the first call.
unsigned thread_count();

// Logical processors of the process's affinity mask, in order.
std::vector<int> affinity_cpus();

} // namespace heddle
