// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/checks/finding.h"

#include <charconv>
#include <cstring>

namespace heddle::checks {

const char* name_of(Check check) noexcept {
  switch (check) {
  case Check::division:
    return "division";
  case Check::memory:
    return "memory";
  case Check::race:
    return "race";
  case Check::divergence:
    return "divergence";
  default:
    return "uninitialized";
  }
}

Place place_of(const char* text) {
  const std::string_view position(text);
  const auto colon = position.rfind(':');
  Place place;
  place.file = position.substr(0, colon);
  if (colon != std::string_view::npos)
    (void)std::from_chars(position.data() + colon + 1, position.data() + position.size(),
                          place.line);
  place.function = text + position.size() + 1;
  place.unchecked = text + position.size() + place.function.size() + 2;
  return place;
}

Finding make_finding(Check check, std::string_view kernel, const Problem& problem) {
  Finding finding{check, std::string(kernel), problem.text, {}};
  for (const auto* place : {problem.place, problem.other})
    if (place != nullptr)
      finding.places.push_back(place_of(place));
  return finding;
}

} // namespace heddle::checks
