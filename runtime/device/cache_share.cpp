// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/device/cache_share.h"

#include "runtime/device/cpu_list.h"

#include <algorithm>
#include <fstream>
#include <set>

namespace heddle {
namespace {

struct LastLevel {
  int level = 0;
  std::uint64_t bytes = 0;
  std::vector<int> cpus;
};

std::string read_word(const std::string& path) {
  std::string word;
  std::ifstream(path) >> word;
  return word;
}

// "32768K"
std::uint64_t bytes_of(const std::string& text) {
  std::size_t end = 0;
  std::uint64_t value = 0;
  while (end < text.size() && text[end] >= '0' && text[end] <= '9')
    value = value * 10 + static_cast<std::uint64_t>(text[end++] - '0');
  const char unit = end < text.size() ? text[end] : ' ';
  return value << (unit == 'K' ? 10 : unit == 'M' ? 20 : unit == 'G' ? 30 : 0);
}

LastLevel last_level_of(int cpu, const std::string& root) {
  LastLevel last;
  const auto folder = root + "/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/cache/index";
  for (int index = 0;; ++index) {
    const auto cache = folder + std::to_string(index);
    const auto level = read_word(cache + "/level");
    if (level.empty())
      return last;
    if (std::atoi(level.c_str()) <= last.level || read_word(cache + "/type") == "Instruction")
      continue;
    last = {std::atoi(level.c_str()), bytes_of(read_word(cache + "/size")),
            parse_cpu_list(read_word(cache + "/shared_cpu_list"))};
  }
}

} // namespace

std::uint64_t cache_share(const std::vector<int>& cpus, unsigned sharers, const std::string& root) {
  std::set<int> left(cpus.begin(), cpus.end());
  std::uint64_t bytes = 0;
  std::size_t most = 0;
  while (!left.empty()) {
    const auto cache = last_level_of(*left.begin(), root);
    std::size_t ours = left.erase(*left.begin());
    for (const int cpu : cache.cpus)
      ours += left.erase(cpu);
    if (ours <= most || cache.cpus.empty())
      continue;
    most = ours;
    bytes = cache.bytes * std::min(ours, cache.cpus.size()) / cache.cpus.size();
  }
  return bytes / std::max(1u, sharers);
}

} // namespace heddle
