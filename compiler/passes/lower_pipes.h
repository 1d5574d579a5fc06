// What builtins/pipes.cl asks of the compiler.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Module.h"

namespace heddle::compiler {

// True for the function that lower_pipes replaces.
bool is_pipe_hook(llvm::StringRef name);

// Gives every group a place in local memory where a work-group's reservation id is handed round: a
// __local variable, which OpenCL C lets no function but a kernel declare. Before
// place_local_variables.
void lower_pipes(llvm::Module& module);

} // namespace heddle::compiler
