// Square roots of many doubles.
#pragma once

#include "compiler/ir/target_info.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// A CPU's divider takes a square root of eight doubles every 16 cycles or more, while its
// multipliers stand idle. Where a vector fills two registers or more, every other one is computed
// by multiplication, to the same bits. CPUs without AVX-512 keep the instruction.
class ExpandSqrtF64Pass : public llvm::PassInfoMixin<ExpandSqrtF64Pass> {
 public:
  explicit ExpandSqrtF64Pass(const TargetInfo& target) : target_(target) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  const TargetInfo& target_;
};

} // namespace heddle::compiler
