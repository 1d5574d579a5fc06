// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/device/cpu_list.h"

#include <charconv>

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

} // namespace heddle
