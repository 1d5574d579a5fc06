// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/execution/work_group_size.h"

#include "runtime/device/limits.h"

#include <algorithm>
#include <array>

namespace heddle {
namespace {

// The limit of the fiber stacks of a group, on one worker.
constexpr std::uint64_t kMaxStackBytes = std::uint64_t{1} << 30;

// Larger groups gain nothing.
constexpr std::size_t kEnough = 1024;
constexpr std::size_t kEnoughWithBarriers = 64;
constexpr std::size_t kGroupsPerUnit = 4;

// Narrower groups leave lanes empty and cost more to start than to run.
constexpr std::size_t kNarrow = 16;

std::size_t search_divisor(std::size_t number, std::size_t most) {
  for (std::size_t candidate = std::min(number, most); candidate > 1; --candidate)
    if (number % candidate == 0)
      return candidate;
  return 1;
}

// The largest divisor of the number that is at most `most`. Programs launch the same sizes
// repeatedly, and some take hundreds of divisions, so recent results are cached.
std::size_t largest_divisor(std::size_t number, std::size_t most) {
  if (most <= 1 || number % most == 0)
    return std::max<std::size_t>(1, std::min(number, most));
  struct Answer {
    std::size_t number = 0, most = 0, divisor = 0;
  };
  thread_local std::array<Answer, 8> answers;
  auto& answer = answers[(number ^ most) % answers.size()];
  if (answer.number != number || answer.most != most)
    answer = {number, most, search_divisor(number, most)};
  return answer.divisor;
}

} // namespace

std::size_t max_group_size(const KernelMetadata& kernel) {
  if (kernel.required_group_size[0] != 0)
    return kernel.required_group_size[0] * kernel.required_group_size[1] *
           kernel.required_group_size[2];
  std::size_t size = limits::kWorkGroupSize;
  while (kernel.uses_fibers() && size > 1 && kernel.stack_bytes > kMaxStackBytes / size)
    size /= 2;
  return size;
}

void choose_local_size(NDRange& range, std::size_t most, unsigned units, bool has_barrier,
                       bool may_leave_rest, bool has_swapped_dimensions) {
  std::size_t items = 1;
  for (const auto size : range.global_size)
    items *= size;
  auto room = std::min(most, has_barrier ? kEnoughWithBarriers : kEnough);
  room = std::clamp<std::size_t>(items / (units * kGroupsPerUnit), 1, room);
  for (int d : {has_swapped_dimensions ? 1 : 0, has_swapped_dimensions ? 0 : 1, 2}) {
    const auto size = range.global_size[d];
    auto local = std::max<std::size_t>(1, largest_divisor(size, room));
    // A prime: rows of equal length, the last of them shorter.
    if (may_leave_rest && local < kNarrow && local < room && size > room)
      local = room;
    range.local_size[d] = local;
    room /= range.local_size[d];
  }
}

} // namespace heddle
