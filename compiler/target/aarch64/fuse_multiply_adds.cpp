// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/target/aarch64/fuse_multiply_adds.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

namespace heddle::compiler {

llvm::PreservedAnalyses
FuseMultiplyAddsPass::run(llvm::Function& function,
                          llvm::FunctionAnalysisManager& /*analyses*/) const {
  bool changed = false;
  for (auto& instruction : llvm::instructions(function)) {
    auto* const call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    if (call == nullptr || call->getIntrinsicID() != llvm::Intrinsic::fmuladd)
      continue;
    const auto* const element = call->getType()->getScalarType();
    if (!element->isFloatTy() && !element->isDoubleTy() && !(element->isHalfTy() && halves_))
      continue;
    call->setCalledFunction(llvm::Intrinsic::getOrInsertDeclaration(
        function.getParent(), llvm::Intrinsic::fma, call->getType()));
    changed = true;
  }
  if (!changed)
    return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses preserved;
  preserved.preserveSet<llvm::CFGAnalyses>();
  return preserved;
}

} // namespace heddle::compiler
