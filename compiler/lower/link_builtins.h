// Brings in the functions of the builtin library that a program calls.
#pragma once

#include "llvm/IR/Module.h"

namespace heddle::compiler {

class Build;

// Links what is needed of the library, and what that needs, into `module`; only those functions are
// read from the bitcode. Everything defined in `module` becomes internal. False, with the names of
// the functions in the log, if the program calls functions that nobody defines. With
// `needs_half_runtime` a program that has halves also gets the functions that code generation calls
// to convert them.
bool link_builtins(llvm::Module& module, Build& build, bool needs_half_runtime);

// Names that stay declarations because the compiler itself lowers their calls.
bool is_lowered_by_compiler(llvm::StringRef name);

} // namespace heddle::compiler
