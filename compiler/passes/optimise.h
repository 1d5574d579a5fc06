// LLVM's own passes in the order that suits kernels.
#pragma once

#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace heddle::compiler {

class Build;

// Inlines what is marked and optimises for `target`. False if a limit was passed.
bool optimise(llvm::Module& module, llvm::TargetMachine& target, Build& build);

} // namespace heddle::compiler
