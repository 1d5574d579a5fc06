// Debug information of functions that Heddle makes.
#pragma once

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"

namespace heddle::compiler {

// Profilers and debuggers find lines through a function's subprogram, so generated functions that
// hold a kernel's code need one. Does nothing where the kernel has none.
void attach_subprogram(llvm::Function& function, const llvm::Function& kernel);

// The same, and the place at which the kernel's own lines are inlined; null without debug
// information.
llvm::DILocation* attach_inlined_subprogram(llvm::Function& function, const llvm::Function& kernel);

} // namespace heddle::compiler
