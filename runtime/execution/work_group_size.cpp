#include "runtime/execution/work_group_size.h"

#include <algorithm>

namespace heddle {
namespace {

// Past this size a group gains nothing from being larger.
constexpr std::size_t kEnough = 1024;
constexpr std::size_t kEnoughWithBarriers = 64;
constexpr std::size_t kGroupsPerUnit = 4;

std::size_t largest_divisor(std::size_t number, std::size_t most) {
  for (std::size_t candidate = std::min(number, most); candidate > 1; --candidate)
    if (number % candidate == 0)
      return candidate;
  return 1;
}

} // namespace

void choose_local_size(NDRange& range, std::size_t most, unsigned units, bool has_barrier) {
  std::size_t items = 1;
  for (const auto size : range.global_size)
    items *= size;
  auto room = std::min(most, has_barrier ? kEnoughWithBarriers : kEnough);
  room = std::clamp<std::size_t>(items / (units * kGroupsPerUnit), 1, room);
  for (int d = 0; d < 3; ++d) {
    range.local_size[d] = std::max<std::size_t>(1, largest_divisor(range.global_size[d], room));
    room /= range.local_size[d];
  }
}

} // namespace heddle
