// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Promotes relaxed atomic updates to registers in loops over sub-groups.
#pragma once

#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// If the only write of a loop over sub-groups is a relaxed atomic update of one address whose
// result is unused, the loop accumulates in a register, as a vector if the operand is a reduction,
// and updates the address once after it. The memory model allows it: the updates may be consecutive
// in modification order, and no work-item of such a loop waits for another one. OpenCL C 6.15.12.
//
//   for (...) atomicrmw add p, reduce(v)         for (...) acc += v;  atomicrmw add p, reduce(acc)
class PromoteAtomicsPass : public llvm::PassInfoMixin<PromoteAtomicsPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Function& function,
                                     llvm::FunctionAnalysisManager& analyses);
};

} // namespace heddle::compiler
