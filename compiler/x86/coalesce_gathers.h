// Gathers and scatters of which the lanes may turn out to be near each other.
#pragma once

#include "compiler/ir/target_info.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Says of a gather or scatter that its addresses are computed from ids, not read from memory: they
// may be in some order that only the numbers tell, such as that of a sorting network.
void mark_as_orderly(llvm::Instruction& access);

// Looks, at run time, whether each sixteen lanes of such an access of 32-bit elements read within
// 32 elements in a row, or write there in rising order. If so, two vectors are loaded and permuted,
// or filled in order and stored, in a few cycles in place of a few for each lane. CPUs without
// AVX-512 gather and scatter.
class CoalesceGathersPass : public llvm::PassInfoMixin<CoalesceGathersPass> {
 public:
  explicit CoalesceGathersPass(const TargetInfo& target) : target_(target) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  const TargetInfo& target_;
};

} // namespace heddle::compiler
