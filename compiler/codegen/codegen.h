// Machine code for a module.
#pragma once

#include "compiler/ir/kernel.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace heddle::compiler {

class Build;

// Generates an ELF object file and sets the stack sizes in the kernels' metadata. False if that
// failed.
bool generate_code(llvm::Module& module, llvm::TargetMachine& target, Build& build,
                   Kernels& kernels, llvm::SmallVectorImpl<char>& object);

} // namespace heddle::compiler
