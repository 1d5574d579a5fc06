// Why a kernel's vector code is not faster: what went to gathers, masks or lane by lane.
#pragma once

#include <string>
#include <vector>

namespace heddle::compiler {

struct Remark {
  unsigned line = 0; // in the source; 0: unknown
  std::string what;  // "gather"
  std::string why;   // "the index is not a multiple of the work-item's id"
  bool operator==(const Remark&) const = default;
};

using Remarks = std::vector<Remark>;

} // namespace heddle::compiler
