// How many work-items a sub-group has.
#pragma once

#include "compiler/ir/target_info.h"
#include "llvm/IR/Function.h"

#include <string>

namespace heddle::compiler {

constexpr unsigned kWidest = 64;

struct WidthChoice {
  unsigned width = 1;    // a power of two from 1 to kWidest
  std::string why;       // part of a sentence, for the user
  bool is_asked = false; // by the user or the program
};

// `wanted` is what the user asks for, or 0; the kernel's own intel_reqd_sub_group_size comes first.
WidthChoice choose_width(const llvm::Function& kernel, const TargetInfo& target, unsigned wanted);

} // namespace heddle::compiler
