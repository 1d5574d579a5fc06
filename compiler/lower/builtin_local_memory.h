// Local memory of the builtin library's own.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Module.h"

namespace heddle::compiler {

// True for the functions that lower_builtin_local_memory replaces.
bool is_builtin_local_memory(llvm::StringRef name);

// Gives every group the places in local memory that functions of the library (pipes.cl,
// work_groups.cl) ask for by name: __local variables, which OpenCL C lets no function but a kernel
// declare. Before allocate_local_variables.
void lower_builtin_local_memory(llvm::Module& module);

} // namespace heddle::compiler
