// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/known_offsets.h"

#include "compiler/ir/work_item_params.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

namespace heddle::compiler {
namespace {

// So often the range of a phi may grow until it is taken to be any, and so many operands are looked
// at for an offset.
constexpr unsigned kMaxGrowths = 4, kMaxOperands = 256;

} // namespace

KnownOffsets::KnownOffsets(llvm::Function& function, const Kernel* kernel,
                           llvm::AssumptionCache& assumptions, llvm::ScalarEvolution& scev)
    : function_(function), scev_(scev), values_(&assumptions, &function.getDataLayout()) {
  if (kernel == nullptr)
    return;
  const auto params = work_item_params(function);
  for (unsigned i = 0; i < 3; ++i)
    if (const auto size = kernel->local_size[i]; size != 0)
      params.local_id[i]->addAttr(
          llvm::Attribute::get(function.getContext(), llvm::Attribute::Range,
                               llvm::ConstantRange(llvm::APInt(64, 0), llvm::APInt(64, size))));
}

KnownOffsets::~KnownOffsets() {
  if (has_work_item_params(function_))
    for (auto* id : work_item_params(function_).local_id)
      id->removeAttr(llvm::Attribute::Range);
}

// Also of phis that are computed from themselves, such as `from = 1 - from`.
llvm::ConstantRange KnownOffsets::range_of(llvm::Value& value, llvm::Instruction& instruction) {
  const auto any = [&] { return values_.getConstantRange(&value, &instruction, false); };
  const auto of = [&](llvm::Value* operand) { return range_of(*operand, instruction); };
  if (const auto found = phis_.find(&value); found != phis_.end())
    return found->second;
  if (const auto* argument = llvm::dyn_cast<llvm::Argument>(&value))
    if (const auto range = argument->getAttribute(llvm::Attribute::Range); range.isValid())
      return range.getRange().intersectWith(any()); // of local ids: not forgotten in loops
  if (++operands_ > kMaxOperands || !value.getType()->isIntegerTy())
    return any();
  if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&value)) {
    auto range = llvm::ConstantRange::getEmpty(value.getType()->getIntegerBitWidth());
    for (unsigned growths = 0;; ++growths) {
      phis_.insert_or_assign(&value, range);
      auto all = range;
      // What holds where the value comes from, which may be another iteration.
      for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
        all = all.unionWith(
            range_of(*phi->getIncomingValue(i), *phi->getIncomingBlock(i)->getTerminator()));
      if (all == range)
        break;
      range = growths < kMaxGrowths ? all : llvm::ConstantRange::getFull(range.getBitWidth());
    }
    phis_.erase(&value);
    return range.intersectWith(any());
  }
  if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&value))
    return of(select->getTrueValue()).unionWith(of(select->getFalseValue())).intersectWith(any());
  if (auto* cast = llvm::dyn_cast<llvm::CastInst>(&value);
      cast != nullptr && cast->getSrcTy()->isIntegerTy())
    return of(cast->getOperand(0))
        .castOp(cast->getOpcode(), value.getType()->getIntegerBitWidth())
        .intersectWith(any());
  if (auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&value)) {
    const auto left = of(operation->getOperand(0)), right = of(operation->getOperand(1));
    const auto* wraps = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(operation);
    unsigned flags = 0;
    if (wraps != nullptr && wraps->hasNoUnsignedWrap())
      flags |= llvm::OverflowingBinaryOperator::NoUnsignedWrap;
    if (wraps != nullptr && wraps->hasNoSignedWrap())
      flags |= llvm::OverflowingBinaryOperator::NoSignedWrap;
    return left.overflowingBinaryOp(operation->getOpcode(), right, flags).intersectWith(any());
  }
  return any();
}

bool KnownOffsets::are_inside(llvm::Value& offset, llvm::Value& bytes, std::uint64_t object_bytes,
                              llvm::Instruction& instruction) {
  const auto* number = llvm::dyn_cast<llvm::ConstantInt>(&bytes);
  if (number == nullptr || number->getValue().ugt(object_bytes))
    return false;
  const auto last = object_bytes - number->getZExtValue();
  operands_ = 0;
  return scev_.getUnsignedRangeMax(scev_.getSCEV(&offset)).ule(last) ||
         range_of(offset, instruction).getUnsignedMax().ule(last);
}

} // namespace heddle::compiler
