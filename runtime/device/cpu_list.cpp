// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/device/cpu_list.h"

#include <algorithm>
#include <charconv>
#include <sched.h>
#include <thread>

namespace heddle {

std::vector<int> parse_cpu_list(std::string_view text) {
  constexpr int kMost = 1 << 20; // of a list that is damaged
  std::vector<int> numbers;
  if (text.ends_with('\n'))
    text.remove_suffix(1);
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    int first = 0;
    auto parsed = std::from_chars(at, end, first);
    if (parsed.ec != std::errc() || first < 0)
      return {};
    int last = first;
    at = parsed.ptr;
    if (at != end && *at == '-') {
      parsed = std::from_chars(at + 1, end, last);
      if (parsed.ec != std::errc() || last < first || last - first > kMost)
        return {};
      at = parsed.ptr;
    }
    for (int number = first; number <= last; ++number)
      numbers.push_back(number);
    if (at != end && (*at != ',' || ++at == end))
      return {};
  }
  return numbers;
}

std::vector<int> affinity_cpus(int process) {
  std::vector<int> cpus;
  // A mask of the default size is too small for machines with more than 1024 processors.
  for (int capacity = CPU_SETSIZE; capacity <= (1 << 20); capacity *= 4) {
    cpu_set_t* set = CPU_ALLOC(capacity);
    if (!set)
      break;
    const auto bytes = CPU_ALLOC_SIZE(capacity);
    const bool known = sched_getaffinity(process, bytes, set) == 0;
    for (int cpu = 0; known && cpu < capacity; ++cpu)
      if (CPU_ISSET_S(cpu, bytes, set))
        cpus.push_back(cpu);
    CPU_FREE(set);
    if (known)
      return cpus;
  }
  if (process != 0)
    return cpus;
  for (int cpu = 0; cpu < static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
       ++cpu)
    cpus.push_back(cpu);
  return cpus;
}

} // namespace heddle
