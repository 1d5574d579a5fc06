// OpenCL C source to LLVM IR, with Clang in this process.
#pragma once

#include "llvm/IR/Module.h"

#include <memory>

namespace heddle::compiler {

class Build;

// Compiles the request's source to a module for spir64, without any optimisation. Null when the
// build failed; the log then says why. Warnings go to the log too.
std::unique_ptr<llvm::Module> compile_source(Build& build);

} // namespace heddle::compiler
