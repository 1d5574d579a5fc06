// Facts about the machine that device info reports.
#pragma once

#include "runtime/device/cgroup.h"

#include <cstdint>
#include <string>

namespace heddle {

struct Machine {
  std::string cpu_name;       // brand string, without padding
  std::string cpu_vendor;     // "GenuineIntel", "AuthenticAMD", ...
  std::uint32_t cpu_identity; // family, model and stepping (cpuid leaf 1, eax)
  std::string host_id;        // tells machines apart; may be empty
  std::uint32_t clock_mhz;
  std::uint64_t memory_bytes; // what the process may use: installed, or the control groups' limit
  std::uint64_t cache_bytes;  // largest level
  std::uint32_t cache_line_bytes;
  std::uint32_t vector_bytes; // widest SIMD register that the system has enabled
  CgroupLimits cgroup;
};

// Read at the first call; well under a millisecond.
const Machine& machine();

} // namespace heddle
