// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/options.h"
#include "runtime/device/cpu_list.h"
#include "runtime/device/limits.h"
#include "runtime/device/machine.h"
#include "runtime/device/thread_count.h"
#include "runtime/target/processor.h"
#include "tools/heddle/doctor_sections.h"

#include <algorithm>
#include <fstream>
#include <sys/resource.h>
#include <unistd.h>

namespace heddle::doctor {
namespace {

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
  section.add("features", processor::features());
  const auto levels = processor::levels();
  const auto count = processor::level_count();
  const auto& wanted = options().CPU;
  auto& fact = section.add("kernels for", wanted);
  if (count == 0) {
    fact.text = "this CPU lacks " + std::string(levels.front().name);
    fact.level = Level::problem;
    fact.advice = std::string("Heddle needs ") + levels.front().instructions +
                  ": choose another machine, or show the virtual machine the host's CPU";
    return;
  }
  const auto& best = levels[count - 1];
  const auto here = std::string("this CPU has ") + best.name + " (" + best.instructions + ")";
  const auto* asked = std::ranges::find(levels, wanted, &processor::Level::name).base();
  if (wanted == "native" || wanted.empty()) {
    fact.text = std::string("this CPU, with all that it has (") + best.instructions + ")";
    if (best.is_slow) {
      const std::string next = levels[count].instructions;
      fact.level = Level::note;
      fact.advice = "kernels run with a half or a fourth of " + next + "'s speed. If the CPU has " +
                    next + ", a virtual machine hides it: show it the host's CPU";
    }
  } else if (asked != levels.data() + levels.size()) {
    fact.text = wanted + " (" + asked->instructions + ", HEDDLE_CPU); " + here;
    fact.level = asked > &best ? Level::problem : asked < &best ? Level::note : Level::fine;
    if (asked != &best)
      fact.advice = asked > &best
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
