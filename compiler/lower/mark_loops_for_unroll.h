// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Marks loops that are unrolled before vectorization.
#pragma once

#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Marks short loops of constant trip count whose indices are clamped, as in image filters, for
// LoopFullUnrollPass. Once unrolled, one speculative check covers all of their loads, and rows side
// by side share loads. Likewise those over the few elements of an array of arrays (a[3 * i + c]),
// whose accesses are then adjacent. Marks loops of atomic updates at changing addresses
// (histograms) to stay as they are: the CPU predicts for each of hundreds of copies of an update
// what it waits for, and takes 10 to 50 times as long.
struct MarkLoopsForUnrollPass : llvm::PassInfoMixin<MarkLoopsForUnrollPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace heddle::compiler
