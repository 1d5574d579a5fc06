// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/target/aarch64/separate_half_conversions.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace heddle::compiler {
namespace {

bool is_scaled(const llvm::Value& value) {
  const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&value);
  return operation != nullptr && (operation->getOpcode() == llvm::Instruction::FMul ||
                                  operation->getOpcode() == llvm::Instruction::FDiv);
}

bool is_from_integer(const llvm::Value& value) {
  return llvm::isa<llvm::SIToFPInst, llvm::UIToFPInst>(value);
}

bool is_to_integer(const llvm::Instruction& instruction) {
  if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
    return call->getIntrinsicID() == llvm::Intrinsic::fptosi_sat ||
           call->getIntrinsicID() == llvm::Intrinsic::fptoui_sat;
  return llvm::isa<llvm::FPToSIInst, llvm::FPToUIInst>(instruction);
}

// Whether instruction selection may make one instruction of the operand and its user.
bool merges(const llvm::Value& operand, const llvm::Instruction& user) {
  return operand.getType()->getScalarType()->isHalfTy() &&
         (is_scaled(user) ? is_from_integer(operand) : is_to_integer(user) && is_scaled(operand));
}

} // namespace

llvm::PreservedAnalyses
SeparateHalfConversionsPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& /*analyses*/) {
  llvm::SmallVector<llvm::Use*, 16> merged;
  for (auto& function : module)
    for (auto& instruction : llvm::instructions(function))
      for (auto& operand : instruction.operands())
        if (merges(*operand, instruction))
          merged.push_back(&operand);
  for (auto* operand : merged) {
    llvm::IRBuilder<> builder(llvm::cast<llvm::Instruction>(operand->getUser()));
    operand->set(builder.CreateArithmeticFence(operand->get(), operand->get()->getType()));
  }
  return merged.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
