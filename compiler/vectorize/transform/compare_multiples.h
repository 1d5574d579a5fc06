// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Comparisons with multiples of a tile's size.
#pragma once

#include "compiler/ir/compilation.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// A comparison with a multiple of 2^k ignores what is added to another multiple and less than 2^k.
// Kernels so find out whether the tile of their group is a whole one: then it is the same for all
// work-items, and barriers behind it need no masks. In groups of a known size.
//
//   before: get_group_id(0) * 16 + get_local_id(0) * 2 < n / 16 * 16    in groups of 8
//   after:  get_group_id(0) * 16 < n / 16 * 16
class CompareMultiplesPass : public llvm::PassInfoMixin<CompareMultiplesPass> {
 public:
  explicit CompareMultiplesPass(Compilation& compilation) : compilation_(compilation) {}
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

 private:
  Compilation& compilation_;
};

} // namespace heddle::compiler
