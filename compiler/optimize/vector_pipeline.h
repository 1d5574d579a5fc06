// What LLVM does with vectorised kernels.
#pragma once

#include "compiler/ir/target_info.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// LLVM's passes at -O2, but for those that find nothing in kernels that were simplified before they
// were vectorised: their share of a small kernel's build was a tenth. `unrolls`: whether loops may
// be.
void add_vector_pipeline(llvm::FunctionPassManager& passes, const TargetInfo& target, bool unrolls);

} // namespace heddle::compiler
