// What the compiler made of a kernel and why, in the words of `heddle explain` and of the build
// option -heddle-explain.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heddle::compiler {

// In the program's source; line 0: unknown.
struct SourcePlace {
  std::string file;
  unsigned line = 0;
  unsigned column = 0;
  auto operator<=>(const SourcePlace&) const = default;
};

// Why a kernel's vector code is not faster, what went to gathers, masks or lane by lane; and what
// it does not do though the program says so.
struct Remark {
  SourcePlace place;
  std::string what; // "gather"
  std::string why;  // "the address has no constant stride between work-items"
  auto operator<=>(const Remark&) const = default;
};

using Remarks = std::vector<Remark>;

// Instructions that the register allocator added to a function because registers ran out.
struct Spills {
  std::uint64_t stores = 0;
  std::uint64_t loads = 0;
};

struct KernelReport {
  SourcePlace place;
  std::string why_width;
  std::string why_fibers;  // of a kernel with barriers whose sub-groups are fibers
  unsigned interleave = 1; // sub-groups that run side by side
  Remarks remarks;
  std::uint64_t stack_bytes = 0; // of one sub-group: the frames of its deepest chain of calls
  std::optional<Spills> spills;  // nothing if the allocator that was used does not count
};

} // namespace heddle::compiler
