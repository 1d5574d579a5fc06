// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/device/thread_count.h"

#include "runtime/core/options.h"
#include "runtime/device/machine.h"

#include <algorithm>
#include <sched.h>
#include <thread>

namespace heddle {

unsigned choose_thread_count(unsigned affinity, std::optional<unsigned> quota, unsigned wanted) {
  if (wanted != 0)
    return wanted;
  return std::max(1u, quota ? std::min(affinity, *quota) : affinity);
}

unsigned thread_count() {
  static const unsigned count = choose_thread_count(static_cast<unsigned>(affinity_cpus().size()),
                                                    machine().cgroup.cpus, options().NUM_THREADS);
  return count;
}

std::vector<int> affinity_cpus() {
  std::vector<int> cpus;
  // A mask of the default size is too small for machines with more than 1024 processors.
  for (int capacity = CPU_SETSIZE; capacity <= (1 << 20); capacity *= 4) {
    cpu_set_t* set = CPU_ALLOC(capacity);
    if (!set)
      break;
    const auto bytes = CPU_ALLOC_SIZE(capacity);
    const bool known = sched_getaffinity(0, bytes, set) == 0;
    for (int cpu = 0; known && cpu < capacity; ++cpu)
      if (CPU_ISSET_S(cpu, bytes, set))
        cpus.push_back(cpu);
    CPU_FREE(set);
    if (known)
      return cpus;
  }
  for (int cpu = 0; cpu < static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
       ++cpu)
    cpus.push_back(cpu);
  return cpus;
}

} // namespace heddle
