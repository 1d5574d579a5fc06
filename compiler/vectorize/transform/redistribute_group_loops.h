// Loops that work-items share out, run by one sub-group for all of a row.
#pragma once

#include "compiler/ir/compilation.h"
#include "compiler/vectorize/analysis/vectorization_plan.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// In `for (i = get_local_id(0); i < n; i += get_local_size(0))` each work-item takes every
// so-many-th round, and a sub-group goes through memory in leaps. Where it makes no difference
// which work-item does a round, and no work-item has done anything before that its rounds depend
// on, the first sub-group may do them all, one after the other. This lets the others jump over such
// loops; what is told of them peel_masked_remainder() is to heed. For kernels whose sub-groups
// come in the order of x, from barrier to barrier, in the form for whole sub-groups and in the one
// for a row's rest.
class RedistributeGroupLoopsPass : public llvm::PassInfoMixin<RedistributeGroupLoopsPass> {
 public:
  explicit RedistributeGroupLoopsPass(Compilation& compilation) : compilation_(compilation) {}
  llvm::PreservedAnalyses run(llvm::Function& body, llvm::FunctionAnalysisManager& analyses);

 private:
  Compilation& compilation_;
};

} // namespace heddle::compiler
