// Gives functions the hidden parameters that carry the identity of a work-item.
#pragma once

#include "compiler/ir/kernel.h"
#include "llvm/IR/Module.h"

namespace heddle::compiler {

// Gives hidden parameters to every kernel body and to every function that, itself or through what
// it calls, uses a work-item function, a barrier, printf, a __local or a program-scope variable.
// Uses of such variables in constant expressions become instructions.
void add_work_item_params(llvm::Module& module, Kernels& kernels);

} // namespace heddle::compiler
