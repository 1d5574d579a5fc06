// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pointers to functions, which headers of C++ for OpenCL name in types only.
#pragma once

#include "llvm/IR/Module.h"

namespace heddle::compiler {

class Build;

// False, with an error in the log for each function, if functions are called through pointers or
// have a variable number of arguments: programs can enable both as extensions of Clang.
bool check_no_function_pointers(const llvm::Module& module, Build& build);

} // namespace heddle::compiler
