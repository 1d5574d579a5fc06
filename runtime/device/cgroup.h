// Limits that control groups put on the process: CPU quota and memory, of version 1 and 2.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace heddle {

struct CgroupLimits {
  std::optional<unsigned> cpus; // the quota as processors, rounded up, at least 1
  std::optional<std::uint64_t> memory_bytes;
};

// The tightest of the limits of the process's groups and of all groups around them. `root` stands
// before every path that is read ("" for the system's own files; tests put fake ones elsewhere).
// What cannot be read does not limit.
CgroupLimits read_cgroup_limits(const std::string& root = "");

} // namespace heddle
