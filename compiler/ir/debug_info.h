// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Debug information of functions that the compiler creates.
#pragma once

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"

namespace heddle::compiler {

// Adds a subprogram to a function with a kernel's code: profilers and debuggers find line tables
// through it. Does nothing if the kernel has none.
void attach_subprogram(llvm::Function& function, const llvm::Function& kernel);

// The same. Returns the location at which the kernel's own lines are inlined; null without debug
// information.
llvm::DILocation* attach_inlined_subprogram(llvm::Function& function, const llvm::Function& kernel);

} // namespace heddle::compiler
