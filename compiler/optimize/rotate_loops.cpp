// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/optimize/rotate_loops.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Utils/LoopRotationUtils.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace heddle::compiler {
namespace {

constexpr std::size_t kMany = 48;
constexpr unsigned kMaxBlocks = 400;       // of a loop
constexpr unsigned kMaxRotatedHeader = 16; // instructions that are duplicated: LLVM's default

} // namespace

llvm::PreservedAnalyses RotateManyLoopsPass::run(llvm::Function& function,
                                                 llvm::FunctionAnalysisManager& analyses) {
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  const auto all = loops.getLoopsInPreorder();
  if (all.size() < kMany)
    return llvm::PreservedAnalyses::all();
  auto& dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  auto& target = analyses.getResult<llvm::TargetIRAnalysis>(function);
  auto& assumptions = analyses.getResult<llvm::AssumptionAnalysis>(function);
  for (auto* loop : loops) {
    llvm::simplifyLoop(loop, &dominators, &loops, nullptr, &assumptions, nullptr, false);
    llvm::formLCSSARecursively(*loop, dominators, &loops, nullptr);
  }
  const llvm::SimplifyQuery query(function.getDataLayout());
  for (auto* loop : llvm::reverse(all)) // inner loops first
    if (loop->getNumBlocks() <= kMaxBlocks)
      llvm::LoopRotation(loop, &loops, &target, &assumptions, nullptr, nullptr, nullptr, query,
                         false, kMaxRotatedHeader, false);
  return llvm::PreservedAnalyses::none();
}

llvm::PreservedAnalyses RotateLoopPass::run(llvm::Loop& loop, llvm::LoopAnalysisManager& analyses,
                                            llvm::LoopStandardAnalysisResults& results,
                                            llvm::LPMUpdater& updater) {
  if (loop.getNumBlocks() > kMaxBlocks)
    return llvm::PreservedAnalyses::all();
  return llvm::LoopRotatePass(true, false).run(loop, analyses, results, updater);
}

} // namespace heddle::compiler
