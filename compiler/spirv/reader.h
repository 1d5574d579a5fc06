// SPIR-V in place of OpenCL C: the same LLVM IR as the front end gives.
#pragma once

#include "llvm/IR/Module.h"

#include <memory>

namespace heddle::compiler {

class Build;

// Reads the request's module (heddle_request::il): SPIR-V 1.0 to 1.6 of the OpenCL environment with
// 64-bit addresses. Answers the dialect of LLVM IR that compile_source() gives: address spaces,
// kernel metadata and mangled builtin names are Clang's. Null, with a message in the log that names
// the instruction, its offset in bytes and the rule, for a module that is not taken.
std::unique_ptr<llvm::Module> read_spirv(Build& build);

} // namespace heddle::compiler
