// Loops over what a group shares out that write more than caches hold.
#pragma once

#include "compiler/ir/compilation.h"
#include "compiler/vectorize/analysis/plan.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// On stores of which lane 0's address is one of a whole line.
constexpr auto kWholeLine = "heddle.line";

// A line that is overwritten is read first, unless it is stored past the caches. Where the first
// sub-group does all rounds of such a loop, and these fill whole lines of an argument that the
// kernel does not read, they store so in launches that write more than caches hold. Says whether
// there is such a loop: then what is stored has to be ordered with what tells others that it is
// there.
class NontemporalGroupLoopsPass : public llvm::PassInfoMixin<NontemporalGroupLoopsPass> {
 public:
  explicit NontemporalGroupLoopsPass(Compilation& compilation) : compilation_(compilation) {}
  llvm::PreservedAnalyses run(llvm::Function& body, llvm::FunctionAnalysisManager& analyses);

 private:
  Compilation& compilation_;
};

} // namespace heddle::compiler
