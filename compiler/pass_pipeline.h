// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order of all passes.
#pragma once

#include "compiler/pass_runner.h"
#include "compiler/pipeline.h"
#include "compiler/vectorize/analysis/long_kernels.h"

namespace heddle::compiler {

// Turns the front end's module into what code generation takes, and fills compilation.kernels.
// Outcome::failed if a pass failed or a limit was passed; build.log says which. It stops at a
// kernel whose lanes had better run along the second dimension, if they are to do so by strides,
// and at kernels with too long vector code that are not in `long_kernels`, which it adds.
Outcome run_passes(Compilation& compilation, llvm::Module& module, StageObserver observe,
                   LongKernels& long_kernels);

} // namespace heddle::compiler
