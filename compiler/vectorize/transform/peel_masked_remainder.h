// Loops that work-items leave one after the other, as they go over what a group shares out
// (i = get_local_id(0); i < n; i += get_local_size(0)).
#pragma once

#include "compiler/ir/compilation.h"
#include "compiler/vectorize/analysis/plan.h"
#include "compiler/vectorize/analysis/vectorization_plan.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// On the ends of blocks that only rounds come to that not all lanes are in.
constexpr auto kRestOfRounds = "heddle.rest";

// Gives such loops a first loop for the rounds that all lanes of a sub-group are in: it has no
// masks, and in it the index is known not to wrap around between lanes. The rounds that are left
// run in the loop as it was. Only for forms in which lane i is local id x + i; the function is and
// stays as canonicalize() leaves it. Returns the loops that are handed over.
class PeelMaskedRemainderPass : public llvm::PassInfoMixin<PeelMaskedRemainderPass> {
 public:
  explicit PeelMaskedRemainderPass(Compilation& compilation) : compilation_(compilation) {}
  llvm::PreservedAnalyses run(llvm::Function& body, llvm::FunctionAnalysisManager& analyses);

 private:
  Compilation& compilation_;
};

} // namespace heddle::compiler
