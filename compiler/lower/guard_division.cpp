// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/guard_division.h"

#include "compiler/lower/checked_calls.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <optional>

namespace heddle::compiler {
namespace {

bool is_safe(llvm::Value* divisor, bool is_signed) {
  using namespace llvm::PatternMatch;
  const llvm::APInt* constant = nullptr;
  if (match(divisor, m_APInt(constant)))
    return !constant->isZero() && !(is_signed && constant->isAllOnes());
  return false;
}

// `checks`: null if nobody is told.
void guard(llvm::BinaryOperator& division, CheckCalls* checks) {
  const auto opcode = division.getOpcode();
  const bool is_signed = opcode == llvm::Instruction::SDiv || opcode == llvm::Instruction::SRem;
  auto* divisor = division.getOperand(1);
  if (is_safe(divisor, is_signed))
    return;
  auto* type = division.getType();
  llvm::IRBuilder<> builder(&division);
  // Without freeze, two comparisons of an undefined value may have different results.
  divisor = builder.CreateFreeze(divisor);
  auto* is_zero = builder.CreateICmpEQ(divisor, llvm::Constant::getNullValue(type));
  auto* traps = is_zero;
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
  if (checks == nullptr)
    return;
  const auto any = [&](llvm::Value* lanes) {
    return type->isVectorTy() ? builder.CreateOrReduce(lanes) : lanes;
  };
  auto* any_traps = any(traps);
  auto* before = llvm::SplitBlockAndInsertIfThen(any_traps, division.getIterator(),
                                                 /*Unreachable=*/false);
  before->setDebugLoc(division.getDebugLoc());
  builder.SetInsertPoint(before);
  auto* any_is_zero = traps == is_zero ? any_traps : any(is_zero);
  // The library's functions have no lines.
  checks->insert(abi::CheckedCall::division, {any_is_zero}, *before,
                 division.getFunction()->getSubprogram() != nullptr
                     ? CheckCalls::Place::here
                     : CheckCalls::Place::of_inlined_call);
}

} // namespace

static void guard_division(llvm::Module& module, bool is_checked) {
  std::optional<CheckCalls> checks;
  if (is_checked)
    checks.emplace(module);
  for (auto& function : module) {
    llvm::SmallVector<llvm::BinaryOperator*, 16> divisions;
    for (auto& instruction : llvm::instructions(function))
      if (auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction);
          operation != nullptr && operation->isIntDivRem())
        divisions.push_back(operation);
    // What is called through a pointer has no work-item parameters; blocks become plain functions.
    const bool is_told =
        checks && (!function.hasAddressTaken() || function.getName().contains("_block_invoke"));
    for (auto* division : divisions)
      guard(*division, is_told ? &*checks : nullptr);
  }
}

llvm::PreservedAnalyses GuardDivisionPass::run(llvm::Module& module,
                                               llvm::ModuleAnalysisManager& /*analyses*/) {
  guard_division(module, is_checked_);
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
