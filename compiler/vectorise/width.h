// How many work-items a sub-group has.
#pragma once

#include "llvm/IR/Function.h"
#include "llvm/Target/TargetMachine.h"

#include <string>

namespace heddle::compiler {

struct WidthChoice {
  unsigned width = 1; // a power of two from 1 to 64
  std::string why;    // part of a sentence, for the user
};

// `wanted` is what the user asks for, or 0; the kernel's own intel_reqd_sub_group_size comes first.
WidthChoice choose_width(const llvm::Function& kernel, const llvm::TargetMachine& target,
                         unsigned wanted);

} // namespace heddle::compiler
