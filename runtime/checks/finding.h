// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a check of HEDDLE_CHECK has found.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::checks {

enum class Check : std::uint8_t { division, memory, race, divergence, uninitialized };
// As in HEDDLE_CHECK.
const char* name_of(Check check) noexcept;

// A line of a program.
struct Place {
  std::string file;
  unsigned line = 0;
  std::string function;
  std::string unchecked; // the checks that its function is excluded from, "race,memory"
};
// From the text of a kernel (abi::CheckHeader::place). Throws std::bad_alloc.
Place place_of(const char* text);

// Before it is known which kernel it is of: what is wrong, and where. Places are those of kernels.
struct Problem {
  std::string text; // "load at sum.cl:4 reads ..."; empty: nothing is wrong
  const char* place = nullptr;
  const char* other = nullptr; // of two accesses or calls
  bool empty() const { return text.empty(); }
};

struct Finding {
  Check check = Check::memory;
  std::string kernel; // empty: of none
  std::string text;
  std::vector<Place> places; // at most two
  std::uint64_t lane = 0;    // one plus that of the sub-group; 0: not known
};
// Throws std::bad_alloc.
Finding make_finding(Check check, std::string_view kernel, const Problem& problem);

} // namespace heddle::checks
