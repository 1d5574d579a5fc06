// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order of all passes.
#pragma once

#include "compiler/pass_runner.h"
#include "compiler/pipeline.h"

namespace heddle::compiler {

// Turns the front end's module into what code generation takes, and fills compilation.kernels.
// Outcome::failed if a pass failed or a limit was passed; build.log says which. With
// `chooses_dimension` it stops at a kernel that had better be built with swapped dimensions.
Outcome run_passes(Compilation& compilation, llvm::Module& module, StageObserver observe,
                   bool chooses_dimension);

} // namespace heddle::compiler
