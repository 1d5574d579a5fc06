// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The limits of the process's control groups: CPU quota and memory, versions 1 and 2.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace heddle {

struct CgroupLimits {
  std::optional<unsigned> cpus; // the quota in processors, rounded up, at least 1
  std::optional<std::uint64_t> memory_bytes;
};

// The smallest limits of the process's groups and of their ancestors. `root` is a prefix of every
// path that is read ("" for the system's files; tests use a folder). A file that cannot be read
// imposes no limit.
CgroupLimits read_cgroup_limits(const std::string& root = "");

} // namespace heddle
