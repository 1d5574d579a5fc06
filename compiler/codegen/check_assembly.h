// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inline assembly that is wrong is an error of the program's build, not of its kernels'.
#pragma once

#include "llvm/IR/Module.h"

namespace heddle::compiler {

class Build;

// Whether the CPU's assembler takes all inline assembly that the module calls, and there are
// registers for its operands; if not, that is an error of the build.
bool check_assembly(const llvm::Module& module, Build& build);

} // namespace heddle::compiler
