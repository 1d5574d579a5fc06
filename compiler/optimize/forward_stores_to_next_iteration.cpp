// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/optimize/forward_stores_to_next_iteration.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Scalar/LoopLoadElimination.h"

namespace heddle::compiler {
namespace {

// Of the accesses in a loop: LLVM looks for dependences between all of them.
constexpr std::uint64_t kMaxPairs = 2'500;

bool has_many_accesses(const llvm::Loop& loop) {
  std::uint64_t loads = 0, stores = 0;
  for (const auto* block : loop.blocks())
    for (const auto& instruction : *block) {
      loads += llvm::isa<llvm::LoadInst>(instruction) ? 1 : 0;
      stores += llvm::isa<llvm::StoreInst>(instruction) ? 1 : 0;
    }
  return loads * stores > kMaxPairs;
}

} // namespace

llvm::PreservedAnalyses
ForwardStoresToNextIterationPass::run(llvm::Function& function,
                                      llvm::FunctionAnalysisManager& analyses) {
  if (llvm::any_of(
          analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder(),
          [](const llvm::Loop* loop) { return loop->isInnermost() && has_many_accesses(*loop); }))
    return llvm::PreservedAnalyses::all();
  // Loops have no second version where code is to be small.
  const bool is_small = function.hasFnAttribute(llvm::Attribute::OptimizeForSize);
  function.addFnAttr(llvm::Attribute::OptimizeForSize);
  auto preserved = llvm::LoopLoadEliminationPass().run(function, analyses);
  if (!is_small)
    function.removeFnAttr(llvm::Attribute::OptimizeForSize);
  return preserved;
}

} // namespace heddle::compiler
