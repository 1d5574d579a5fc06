// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Quotients and remainders of linear local ids.
#pragma once

#include "compiler/ir/compilation.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// In groups of a known size. Tiles are often copied to local memory by the linear id, which has no
// stride between lanes once it is divided; the local ids have.
//
//   in groups of 8x16, t = x + 8 * y      after
//   t / 8, t % 8                          y, x
//   t / 16, t % 16                        y / 2, x + 8 * (y % 2)
//   (t + 128) / 32                        y / 4 + 4
//
// Not in groups of shorter rows, whose lanes may be consecutive linear ids
// (VariantKind::crossing).
class DivideLinearIdsPass : public llvm::PassInfoMixin<DivideLinearIdsPass> {
 public:
  explicit DivideLinearIdsPass(Compilation& compilation) : compilation_(compilation) {}
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

 private:
  Compilation& compilation_;
};

} // namespace heddle::compiler
