// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Properties of the machine that device queries report.
#pragma once

#include "runtime/device/cgroup.h"

#include <cstdint>
#include <string>

namespace heddle {

struct Machine {
  std::string cpu_name;       // without padding
  std::string cpu_vendor;     // "GenuineIntel", "Arm", ...
  std::uint32_t cpu_identity; // of the model, in the processor's own coding
  std::string host_id;        // identifies the machine; may be empty
  std::uint32_t clock_mhz;
  std::uint64_t memory_bytes; // installed memory, or the limit of the control groups
  std::uint64_t cache_bytes;  // of the last-level cache
  std::uint32_t cache_line_bytes;
  std::uint32_t vector_bytes; // of the widest SIMD register that the system enables
  CgroupLimits cgroup;
};

// Read at the first call, in well under a millisecond.
const Machine& machine();

} // namespace heddle
