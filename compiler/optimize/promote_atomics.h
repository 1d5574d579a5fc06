// Relaxed atomics on one place wait for the end of the loop over a row's sub-groups.
#pragma once

#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// A loop over sub-groups in which all that is written is one place, by a relaxed atomic update
// whose result nobody wants, updates it once: what the sub-groups give is put together in between,
// lane by lane where it is a vector's reduction. The memory model allows it: the updates may come
// one right after the other, and no work-item of such a loop waits for what another one does.
// OpenCL C 6.15.12.
class PromoteAtomicsPass : public llvm::PassInfoMixin<PromoteAtomicsPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Function& function,
                                     llvm::FunctionAnalysisManager& analyses);
};

} // namespace heddle::compiler
