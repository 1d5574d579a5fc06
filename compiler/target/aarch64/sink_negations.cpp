// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/target/aarch64/sink_negations.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

namespace heddle::compiler {
namespace {

using namespace llvm::PatternMatch;

bool is_multiply_add(const llvm::Instruction& instruction) {
  const auto* const call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return call != nullptr && (call->getIntrinsicID() == llvm::Intrinsic::fma ||
                             call->getIntrinsicID() == llvm::Intrinsic::fmuladd);
}

// Takes the negations out of a product of this one use, and of its factors that are such products.
// Returns how many.
unsigned remove_negations(llvm::Value* value) {
  auto* const product = llvm::dyn_cast<llvm::BinaryOperator>(value);
  if (product == nullptr || product->getOpcode() != llvm::Instruction::FMul ||
      !product->hasOneUse())
    return 0;
  unsigned removed = 0;
  for (auto& factor : product->operands()) {
    llvm::Value* negated = nullptr;
    if (match(factor.get(), m_FNeg(m_Value(negated)))) {
      factor.set(negated);
      ++removed;
    } else {
      removed += remove_negations(factor.get());
    }
  }
  return removed;
}

bool sink_negations(llvm::Function& function) {
  llvm::SmallVector<llvm::Instruction*> sums;
  llvm::SmallVector<llvm::WeakTrackingVH> negations;
  for (auto& instruction : llvm::instructions(function))
    if (is_multiply_add(instruction))
      sums.push_back(&instruction);
    else if (match(&instruction, m_FNeg(m_Value())))
      negations.emplace_back(&instruction);
  if (sums.empty() || negations.empty())
    return false;
  unsigned removed = 0;
  for (auto* const sum : sums)
    for (const unsigned index : {0u, 1u}) { // the factors
      const auto of_this = remove_negations(sum->getOperand(index));
      removed += of_this;
      if (of_this % 2 != 0)
        sum->setOperand(index, llvm::IRBuilder(sum).CreateFNeg(sum->getOperand(index)));
    }
  if (removed != 0)
    llvm::RecursivelyDeleteTriviallyDeadInstructionsPermissive(negations);
  return removed != 0;
}

} // namespace

llvm::PreservedAnalyses SinkNegationsPass::run(llvm::Module& module,
                                               llvm::ModuleAnalysisManager& /*analyses*/) {
  bool changed = false;
  for (auto& function : module)
    changed |= sink_negations(function);
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace heddle::compiler
