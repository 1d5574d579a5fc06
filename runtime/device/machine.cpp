// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/device/machine.h"

#include "runtime/device/cpuid.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <unistd.h>

namespace heddle {
namespace {

std::string read_vendor() {
  const auto& r = cpuid(0);
  std::array<char, 12> text{};
  std::memcpy(text.data(), &r.ebx, 4);
  std::memcpy(text.data() + 4, &r.edx, 4);
  std::memcpy(text.data() + 8, &r.ecx, 4);
  return {text.data(), text.size()};
}

std::string read_brand() {
  std::array<char, 49> text{};
  for (unsigned i = 0; i < 3; ++i) {
    const auto& r = cpuid(0x80000002 + i);
    std::memcpy(text.data() + 16 * i, &r, 16);
  }
  std::string name;
  for (const char c : std::string(text.data()))
    if (c != ' ' || (!name.empty() && name.back() != ' '))
      name += c;
  while (!name.empty() && name.back() == ' ')
    name.pop_back();
  return name.empty() ? "x86-64 CPU" : name;
}

std::uint32_t read_clock_mhz() {
  std::uint64_t kilohertz = 0;
  if (std::ifstream file("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq");
      file >> kilohertz && kilohertz != 0)
    return static_cast<std::uint32_t>(kilohertz / 1000);
  if (const auto& r = cpuid(0x16); (r.ebx & 0xffff) != 0)
    return r.ebx & 0xffff; // highest
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
    m->cpu_name = read_brand();
    m->cpu_vendor = read_vendor();
    m->cpu_identity = cpuid(1).eax;
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
    m->vector_bytes = __builtin_cpu_supports("avx512f") ? 64
                      : __builtin_cpu_supports("avx")   ? 32
                                                        : 16;
    return m;
  }();
  return instance;
}

} // namespace heddle
