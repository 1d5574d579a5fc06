// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/options.h"
#include "runtime/device/limits.h"
#include "runtime/device/machine.h"
#include "runtime/device/thread_count.h"
#include "tools/heddle/doctor_sections.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>
#include <sys/resource.h>
#include <unistd.h>

namespace heddle::doctor {
namespace {

// Those of /proc/cpuinfo that matter to kernels, in the order in which they came.
constexpr const char* kFlags[] = {"ssse3",        "sse4_1",        "sse4_2",
                                  "popcnt",       "avx",           "f16c",
                                  "fma",          "avx2",          "bmi1",
                                  "bmi2",         "avx_vnni",      "avx512f",
                                  "avx512dq",     "avx512bw",      "avx512vl",
                                  "avx512cd",     "avx512_vnni",   "avx512_vbmi",
                                  "avx512_vbmi2", "avx512_bitalg", "avx512_vpopcntdq",
                                  "avx512_bf16",  "avx512_fp16",   "amx_tile"};

std::vector<std::string> cpu_flags() {
  std::ifstream file("/proc/cpuinfo");
  std::vector<std::string> flags;
  for (std::string line; std::getline(file, line) && !line.empty();) {
    if (!line.starts_with("flags"))
      continue;
    std::istringstream words(line.substr(std::min(line.size(), line.find(':') + 1)));
    const std::vector<std::string> all{std::istream_iterator<std::string>(words), {}};
    for (const char* flag : kFlags)
      if (std::find(all.begin(), all.end(), flag) != all.end())
        flags.emplace_back(flag);
  }
  return flags;
}

// The level of x86-64 (psABI) that the CPU and the operating system have: 1 to 4.
unsigned cpu_level() {
  return __builtin_cpu_supports("x86-64-v4")   ? 4
         : __builtin_cpu_supports("x86-64-v3") ? 3
         : __builtin_cpu_supports("x86-64-v2") ? 2
                                               : 1;
}

const char* instructions_of(unsigned level) {
  return level >= 4 ? "AVX-512" : level == 3 ? "AVX2" : level == 2 ? "SSE4.2" : "SSE2";
}

std::uint64_t available_memory() {
  std::ifstream file("/proc/meminfo");
  for (std::string name, unit; file >> name;) {
    std::uint64_t kilobytes = 0;
    file >> kilobytes;
    std::getline(file, unit);
    if (name == "MemAvailable:")
      return kilobytes * 1024;
  }
  return 0;
}

// `in_bytes`: else a number.
void add_limit(Section& section, const char* name, int resource, std::uint64_t least,
               const char* why, bool in_bytes = true) {
  rlimit limit{};
  if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return;
  auto& fact = section.add(name, std::uint64_t{limit.rlim_cur},
                           in_bytes ? size_text(limit.rlim_cur) : std::to_string(limit.rlim_cur));
  if (limit.rlim_cur >= least)
    return;
  fact.level = Level::note;
  fact.advice = why;
}

} // namespace

void report_processor(Report& report) {
  auto& section = report.add("processor");
  section.add("name", machine().cpu_name);
  section.add("features", cpu_flags());
  const auto level = cpu_level();
  const auto& wanted = options().CPU;
  auto& fact = section.add("kernels for", wanted);
  const auto here = std::string("this CPU has x86-64-v") + std::to_string(level) + " (" +
                    instructions_of(level) + ")";
  if (level < 2) {
    fact.text = here;
    fact.level = Level::problem;
    fact.advice = "Heddle needs SSE4.2: choose another machine, or show the virtual machine the "
                  "host's CPU";
  } else if (wanted == "native" || wanted.empty()) {
    fact.text = std::string("this CPU, with all that it has (") + instructions_of(level) + ")";
    if (level == 2) {
      fact.level = Level::note;
      fact.advice =
          "kernels run with a half or a fourth of AVX2's speed. If the CPU has AVX2, a virtual "
          "machine hides it: show it the host's CPU";
    }
  } else if (wanted == "x86-64-v2" || wanted == "x86-64-v3" || wanted == "x86-64-v4") {
    const auto asked = static_cast<unsigned>(wanted.back() - '0');
    fact.text = wanted + " (" + instructions_of(asked) + ", HEDDLE_CPU); " + here;
    fact.level = asked > level ? Level::problem : asked < level ? Level::note : Level::fine;
    if (asked != level)
      fact.advice = asked > level
                        ? "kernels would be ended as illegal instructions: unset HEDDLE_CPU"
                        : "unset HEDDLE_CPU to have kernels use the whole CPU";
  } else {
    fact.text = wanted + " (HEDDLE_CPU); " + here;
    fact.level = Level::note;
    fact.advice = "not one of the names that Heddle is tested with: `heddle env` lists them";
  }
}

void report_threads(Report& report) {
  auto& section = report.add("threads");
  const auto online = static_cast<std::uint64_t>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
  const auto affinity = static_cast<std::uint64_t>(affinity_cpus().size());
  const auto& quota = machine().cgroup.cpus;
  const auto wanted = options().NUM_THREADS;
  const std::uint64_t count = thread_count();
  section.add("processors", online, std::to_string(online) + " are online");
  section.add("affinity", affinity, std::to_string(affinity) + " of them are this process's");
  if (quota)
    section.add("quota", std::uint64_t{*quota},
                "the control group gives the time of " + std::to_string(*quota));
  auto& fact = section.add("compute units", count);
  const auto& choice = thread_choice();
  fact.text = std::to_string(count) + ": " + choice.reason;
  const auto allowed = quota ? std::min<std::uint64_t>(affinity, *quota) : affinity;
  if (count > allowed) {
    fact.level = Level::note;
    fact.advice =
        "more threads than processors that the process may use wait for each other: unset "
        "HEDDLE_NUM_THREADS";
  } else if (count < allowed && choice.sharers == 1 && wanted != 0) {
    fact.level = Level::note;
    fact.advice =
        "the process may use " + std::to_string(allowed) + ": unset HEDDLE_NUM_THREADS to use them";
  }
}

void report_memory(Report& report) {
  auto& section = report.add("memory");
  section.add("usable", machine().memory_bytes, size_text(machine().memory_bytes));
  if (machine().cgroup.memory_bytes)
    section.add("control group", *machine().cgroup.memory_bytes,
                size_text(*machine().cgroup.memory_bytes) + " is its limit");
  section.add("largest buffer", limits::allocation_bytes(), size_text(limits::allocation_bytes()));
  constexpr std::uint64_t kLeastFree = std::uint64_t{256} << 20; // a first build takes half of it
  const auto free = available_memory();
  auto& available = section.add("available", free, size_text(free) + " now");
  if (free < kLeastFree) {
    available.level = Level::note;
    available.advice = "builds may fail: end other programs";
  }
  const auto build = std::uint64_t{options().BUILD_MEGABYTES} << 20;
  section.add("of a build", build,
              build == 0 ? "no limit" : size_text(build) + " at most (HEDDLE_BUILD_MEGABYTES)");
  constexpr std::uint64_t kLeastSpace = std::uint64_t{4} << 30;
  add_limit(section, "address space", RLIMIT_AS, kLeastSpace,
            "stacks, handles and the compiler reserve address space: ulimit -v unlimited");
  add_limit(section, "data", RLIMIT_DATA, kLeastSpace,
            "buffers and builds may fail: ulimit -d unlimited");
  add_limit(section, "files", RLIMIT_NOFILE, 256,
            "each kernel that is used keeps a file open: ulimit -n 1024", false);
  add_limit(section, "threads", RLIMIT_NPROC, 256,
            "threads of the driver count as processes of the user: ulimit -u unlimited", false);
  add_limit(section, "file size", RLIMIT_FSIZE, std::uint64_t{64} << 20,
            "compiled programs may not be kept: ulimit -f unlimited");
}

} // namespace heddle::doctor
