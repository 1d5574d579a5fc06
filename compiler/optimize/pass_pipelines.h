// LLVM's own passes in the order that suits kernels.
#pragma once

#include "compiler/ir/kernel.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace heddle::compiler {

class Build;

// Inlines what is marked and cleans up. False if a limit was passed.
bool inline_marked(llvm::Module& module, llvm::TargetMachine& target, Build& build);

// Brings a kernel into the form that the vectoriser does most with: few instructions, simple loops,
// indices as wide as pointers.
void simplify_for_vectorizer(llvm::Function& kernel, llvm::TargetMachine& target, Build& build);

// Optimises for `target` what has been made of the kernels. False if a limit was passed.
bool optimize(llvm::Module& module, llvm::TargetMachine& target, Build& build,
              const Kernels& kernels);

} // namespace heddle::compiler
