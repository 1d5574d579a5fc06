// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/device/cgroup.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>
#include <string_view>
#include <vector>

namespace heddle {
namespace {

// Version 1 expresses "no memory limit" as a huge number of pages.
constexpr std::uint64_t kNoLimit = std::uint64_t{1} << 62;

// One mounted hierarchy of /proc/self/mountinfo.
struct Mount {
  std::string group; // the group at the mount point
  std::string point; // the mount point
  bool version2 = false;
  bool has_cpu = false;
  bool has_memory = false;
};

bool has_word(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    const auto comma = std::min(list.find(','), list.size());
    if (list.substr(0, comma) == word)
      return true;
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return false;
}

// mountinfo writes blanks and backslashes in paths as \ooo.
std::string unescape(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned code = 0;
    if (text[i] == '\\' && i + 3 < text.size() &&
        std::from_chars(text.data() + i + 1, text.data() + i + 4, code, 8).ptr ==
            text.data() + i + 4) {
      result += static_cast<char>(code);
      i += 3;
    } else {
      result += text[i];
    }
  }
  return result;
}

std::vector<Mount> read_mounts(const std::string& root) {
  std::vector<Mount> mounts;
  std::ifstream file(root + "/proc/self/mountinfo");
  for (std::string line; std::getline(file, line);) {
    // 36 35 98:0 /group /point options [tags...] - type source super-options
    const auto dash = line.find(" - ");
    if (dash == std::string::npos)
      continue;
    std::istringstream left(line.substr(0, dash));
    std::istringstream right(line.substr(dash + 3));
    std::string skip, group, point, type, options;
    left >> skip >> skip >> skip >> group >> point;
    right >> type >> skip >> options;
    if (type == "cgroup2")
      mounts.push_back({unescape(group), unescape(point), true, true, true});
    else if (type == "cgroup")
      mounts.push_back({unescape(group), unescape(point), false, has_word(options, "cpu"),
                        has_word(options, "memory")});
  }
  return mounts;
}

struct Groups {
  std::string unified; // version 2
  std::string cpu;
  std::string memory;
};

Groups read_groups(const std::string& root) {
  Groups groups;
  std::ifstream file(root + "/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    // 4:cpu,cpuacct:/group, or 0::/group for version 2
    const auto first = line.find(':');
    const auto second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos)
      continue;
    const auto controllers = std::string_view(line).substr(first + 1, second - first - 1);
    const auto path = line.substr(second + 1);
    if (controllers.empty())
      groups.unified = path;
    if (has_word(controllers, "cpu"))
      groups.cpu = path;
    if (has_word(controllers, "memory"))
      groups.memory = path;
  }
  return groups;
}

// Calls visit(directory) for the directories of the group and of its ancestors, up to the mount
// point.
template <class Visit>
void for_each_directory(const std::string& root, const Mount& mount, std::string group,
                        Visit visit) {
  // The root of a mount in a container is the container's group.
  if (mount.group != "/") {
    const bool inside = group.compare(0, mount.group.size(), mount.group) == 0 &&
                        (group.size() == mount.group.size() || group[mount.group.size()] == '/');
    group = inside ? group.substr(mount.group.size()) : "";
  }
  if (group.find("/..") != std::string::npos)
    group.clear();
  while (!group.empty() && group.back() == '/')
    group.pop_back();
  for (;;) {
    visit(root + mount.point + group);
    if (group.empty())
      return;
    group.erase(group.rfind('/') == std::string::npos ? 0 : group.rfind('/'));
  }
}

std::optional<std::int64_t> read_number(const std::string& path) {
  std::int64_t value = 0;
  if (std::ifstream file(path); file >> value)
    return value;
  return std::nullopt;
}

template <class T>
void tighten(std::optional<T>& limit, T value) {
  limit = limit ? std::min(*limit, value) : value;
}

void tighten_cpus(CgroupLimits& limits, std::int64_t quota, std::int64_t period) {
  if (quota > 0 && period > 0)
    tighten(limits.cpus, static_cast<unsigned>((quota - 1) / period + 1));
}

} // namespace

CgroupLimits read_cgroup_limits(const std::string& root) {
  CgroupLimits limits;
  const auto tighten_memory = [&](const std::string& path) {
    const auto bytes = read_number(path);
    if (bytes && *bytes > 0 && static_cast<std::uint64_t>(*bytes) < kNoLimit)
      tighten(limits.memory_bytes, static_cast<std::uint64_t>(*bytes));
  };
  const auto groups = read_groups(root);
  for (const auto& mount : read_mounts(root)) {
    if (mount.version2) {
      for_each_directory(root, mount, groups.unified, [&](const std::string& directory) {
        std::int64_t quota = 0;
        std::int64_t period = 0;
        // Without a quota this is "max 100000", and reading the first number fails.
        if (std::ifstream file(directory + "/cpu.max"); file >> quota >> period)
          tighten_cpus(limits, quota, period);
        tighten_memory(directory + "/memory.max");
      });
      continue;
    }
    if (mount.has_cpu)
      for_each_directory(root, mount, groups.cpu, [&](const std::string& directory) {
        const auto quota = read_number(directory + "/cpu.cfs_quota_us");
        const auto period = read_number(directory + "/cpu.cfs_period_us");
        if (quota && period)
          tighten_cpus(limits, *quota, *period);
      });
    if (mount.has_memory)
      for_each_directory(root, mount, groups.memory, [&](const std::string& directory) {
        tighten_memory(directory + "/memory.limit_in_bytes");
      });
  }
  return limits;
}

} // namespace heddle
