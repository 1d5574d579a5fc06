// The form of a scalar kernel that the vectoriser starts from.
#pragma once

#include "llvm/IR/Function.h"

namespace heddle::compiler {

// One return; no switch, no unreachable block, no irreducible loop; loops with one preheader, one
// latch and exits of their own, whose results leave through phis (LCSSA); parameters passed by
// value are read only.
void canonicalize(llvm::Function& kernel, unsigned width);

// Every work-item gets a parameter's copy of its own to write to.
void copy_written_parameters(llvm::Function& kernel);

} // namespace heddle::compiler
