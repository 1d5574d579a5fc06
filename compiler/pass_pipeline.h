// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order of all passes.
#pragma once

#include "compiler/pass_runner.h"

namespace heddle::compiler {

// Turns the front end's module into what code generation takes, and fills compilation.kernels.
// False if a pass failed or a limit was passed; build.log says which.
bool run_passes(Compilation& compilation, llvm::Module& module, StageObserver observe);

} // namespace heddle::compiler
