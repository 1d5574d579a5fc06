// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenCL C source to LLVM IR, with Clang in this process.
#pragma once

#include "llvm/IR/Module.h"

#include <memory>

namespace heddle::compiler {

class Build;

// Compiles the request's source to a module for spir64, without optimization. Null on failure.
// Warnings and errors go to the log.
std::unique_ptr<llvm::Module> compile_source(Build& build);

} // namespace heddle::compiler
