// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a kernel was compiled and why, for `heddle explain` and the build option -heddle-explain.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heddle::compiler {

// A location in the program's source; line 0: unknown.
struct SourcePlace {
  std::string file;
  unsigned line = 0;
  unsigned column = 0;
  auto operator<=>(const SourcePlace&) const = default;
};

// A missed or applied optimization at a source line: gathers, masks, scalarized instructions,
// elided copies.
struct Remark {
  SourcePlace place;
  std::string what; // "gather"
  std::string why;  // "the address has no constant stride between work-items"
  auto operator<=>(const Remark&) const = default;
};

using Remarks = std::vector<Remark>;

// Instructions that the register allocator inserted because registers ran out.
struct Spills {
  std::uint64_t stores = 0;
  std::uint64_t loads = 0;
};

struct KernelReport {
  SourcePlace place;
  std::string why_width;
  // Of a group whose local memory is in registers; else 0. Whether all of a group's code is.
  unsigned promoted_instructions = 0;
  bool is_wholly_promoted = false;
  std::string why_fibers; // of a kernel with barriers whose sub-groups are fibers
  Remarks remarks;
  std::uint64_t stack_bytes = 0; // of one sub-group: the frames of its deepest chain of calls
  std::optional<Spills> spills;  // nothing if the allocator that was used does not count
};

} // namespace heddle::compiler
