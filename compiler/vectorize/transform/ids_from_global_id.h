// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Computes local and group ids from the global id, so that small groups can run as one
// (vectorize/plan/coalesce_work_groups.h):
//
//   before, in groups of 8             after
//   a[32 * group + 4 * local]          a[4 * (group * 8 + local)]
//   b[group]                           b[(group * 8 + local) / 8]
#pragma once

#include "compiler/ir/compilation.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// For units for a local size of one row, and launches of many groups (has_long_rows). Sums of both
// ids become one of the global id. If others are left, local and group ids become remainders and
// quotients of it, but only in groups of so few work-items that lanes which are not consecutive are
// better than idle ones.
class IdsFromGlobalIdPass : public llvm::PassInfoMixin<IdsFromGlobalIdPass> {
 public:
  explicit IdsFromGlobalIdPass(Compilation& compilation) : compilation_(compilation) {}
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

 private:
  Compilation& compilation_;
};

} // namespace heddle::compiler
