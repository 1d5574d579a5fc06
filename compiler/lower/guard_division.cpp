// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/guard_division.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace heddle::compiler {
namespace {

bool is_safe(llvm::Value* divisor, bool is_signed) {
  using namespace llvm::PatternMatch;
  const llvm::APInt* constant = nullptr;
  if (match(divisor, m_APInt(constant)))
    return !constant->isZero() && !(is_signed && constant->isAllOnes());
  return false;
}

// Executes a division by zero. Inline assembly, because LLVM treats a visible division by zero as
// unreachable.
void add_fault(llvm::Instruction* before) {
  llvm::IRBuilder<> builder(before);
  auto* type = llvm::FunctionType::get(builder.getVoidTy(), false);
  auto* code = llvm::InlineAsm::get(type, "xorl %eax, %eax\n\txorl %edx, %edx\n\tdivl %eax",
                                    "~{eax},~{edx},~{flags},~{dirflag},~{fpsr}", true);
  auto* call = builder.CreateCall(type, code);
  call->setDoesNotThrow();
  call->addFnAttr(llvm::Attribute::Cold);
}

void guard(llvm::BinaryOperator& division, bool trap) {
  const auto opcode = division.getOpcode();
  const bool is_signed = opcode == llvm::Instruction::SDiv || opcode == llvm::Instruction::SRem;
  auto* divisor = division.getOperand(1);
  if (is_safe(divisor, is_signed))
    return;
  auto* type = division.getType();
  llvm::IRBuilder<> builder(&division);
  // Without freeze, two comparisons of an undefined value may have different results.
  divisor = builder.CreateFreeze(divisor);
  auto* traps = builder.CreateICmpEQ(divisor, llvm::Constant::getNullValue(type));
  if (is_signed) {
    auto* dividend = builder.CreateFreeze(division.getOperand(0));
    division.setOperand(0, dividend);
    auto* least =
        llvm::ConstantInt::get(type, llvm::APInt::getSignedMinValue(type->getScalarSizeInBits()));
    auto* overflows =
        builder.CreateAnd(builder.CreateICmpEQ(dividend, least),
                          builder.CreateICmpEQ(divisor, llvm::Constant::getAllOnesValue(type)));
    traps = builder.CreateOr(traps, overflows);
  }
  division.setOperand(1, builder.CreateSelect(traps, llvm::ConstantInt::get(type, 1), divisor));
  if (!trap)
    return;
  auto* any = type->isVectorTy() ? builder.CreateOrReduce(traps) : traps;
  add_fault(llvm::SplitBlockAndInsertIfThen(any, division.getIterator(), /*Unreachable=*/false));
}

} // namespace

static void guard_division(llvm::Module& module, bool trap) {
  for (auto& function : module) {
    llvm::SmallVector<llvm::BinaryOperator*, 16> divisions;
    for (auto& instruction : llvm::instructions(function))
      if (auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction);
          operation != nullptr && operation->isIntDivRem())
        divisions.push_back(operation);
    for (auto* division : divisions)
      guard(*division, trap);
  }
}

llvm::PreservedAnalyses GuardDivisionPass::run(llvm::Module& module,
                                               llvm::ModuleAnalysisManager& /*analyses*/) {
  guard_division(module, traps_);
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
