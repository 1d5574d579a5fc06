// Finds the kernels of a module and describes their interface.
#pragma once

#include "compiler/ir/kernel.h"
#include "llvm/IR/Module.h"

namespace heddle::compiler {

class Build;

// Removes the shells that Clang puts around kernels and describes each kernel from Clang's metadata
// (names, arguments, attributes). False if a kernel has arguments that this device cannot pass.
bool find_kernels(llvm::Module& module, Build& build, Kernels& kernels);

} // namespace heddle::compiler
