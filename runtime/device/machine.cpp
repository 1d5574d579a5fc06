// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/device/machine.h"

#include "runtime/target/processor.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <unistd.h>

namespace heddle {
namespace {

std::uint32_t read_clock_mhz() {
  std::uint64_t kilohertz = 0;
  if (std::ifstream file("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq");
      file >> kilohertz && kilohertz != 0)
    return static_cast<std::uint32_t>(kilohertz / 1000);
  if (const auto mhz = processor::highest_mhz(); mhz != 0)
    return mhz;
  // Only the lines of the first processor: the file is long and generated while it is read.
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line) && !line.empty();)
    if (line.rfind("cpu MHz", 0) == 0)
      return static_cast<std::uint32_t>(std::strtod(line.c_str() + line.find(':') + 1, nullptr));
  return 0;
}

std::uint64_t read_cache_bytes() {
  for (const int name : {_SC_LEVEL3_CACHE_SIZE, _SC_LEVEL2_CACHE_SIZE, _SC_LEVEL1_DCACHE_SIZE})
    if (const long bytes = sysconf(name); bytes > 0)
      return static_cast<std::uint64_t>(bytes);
  return 0;
}

std::string read_host_id() {
  std::string id;
  std::ifstream("/etc/machine-id") >> id;
  return id;
}

} // namespace

const Machine& machine() {
  static const Machine& instance = *[] {
    auto* m = new Machine;
    m->cpu_name = processor::name();
    m->cpu_vendor = processor::vendor();
    m->cpu_identity = processor::identity();
    m->host_id = read_host_id();
    m->clock_mhz = read_clock_mhz();
    m->cgroup = read_cgroup_limits();
    m->memory_bytes = static_cast<std::uint64_t>(std::max(0L, sysconf(_SC_PHYS_PAGES))) *
                      static_cast<std::uint64_t>(std::max(0L, sysconf(_SC_PAGESIZE)));
    if (m->cgroup.memory_bytes)
      m->memory_bytes = std::min(m->memory_bytes, *m->cgroup.memory_bytes);
    m->cache_bytes = read_cache_bytes();
    const long line = sysconf(_SC_LEVEL1_DCACHE_LINESIZE);
    m->cache_line_bytes = line > 0 ? static_cast<std::uint32_t>(line) : 64;
    m->vector_bytes = processor::vector_bytes();
    return m;
  }();
  return instance;
}

} // namespace heddle
