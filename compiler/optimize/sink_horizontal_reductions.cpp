// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/optimize/sink_horizontal_reductions.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace heddle::compiler {
namespace {

using llvm::Intrinsic::ID;

// One update of the sum: `next` is `before` + reduce(lanes), or reduce(lanes) alone where `begins`
// is true. `before` is the sum or its start value.
struct Sum {
  llvm::PHINode* sum = nullptr;
  llvm::SelectInst* before = nullptr; // null: the sum itself
  llvm::Instruction* next = nullptr;
  llvm::Instruction* addition = nullptr;
  llvm::Value* begins = nullptr;
  bool begins_if_false = false;
  llvm::IntrinsicInst* reduction = nullptr;
  llvm::Value* lanes = nullptr;
};

// The operation that a reduction intrinsic corresponds to.
struct Combination {
  unsigned opcode = 0; // or
  ID intrinsic = llvm::Intrinsic::not_intrinsic;
};

std::optional<Combination> combination_of(const llvm::IntrinsicInst& reduction) {
  using Op = llvm::Instruction;
  switch (reduction.getIntrinsicID()) {
  case llvm::Intrinsic::vector_reduce_add:
    return Combination{Op::Add};
  case llvm::Intrinsic::vector_reduce_fadd:
    return reduction.hasAllowReassoc() ? std::optional(Combination{Op::FAdd}) : std::nullopt;
  case llvm::Intrinsic::vector_reduce_and:
    return Combination{Op::And};
  case llvm::Intrinsic::vector_reduce_or:
    return Combination{Op::Or};
  case llvm::Intrinsic::vector_reduce_xor:
    return Combination{Op::Xor};
  case llvm::Intrinsic::vector_reduce_smax:
    return Combination{0, llvm::Intrinsic::smax};
  case llvm::Intrinsic::vector_reduce_smin:
    return Combination{0, llvm::Intrinsic::smin};
  case llvm::Intrinsic::vector_reduce_umax:
    return Combination{0, llvm::Intrinsic::umax};
  case llvm::Intrinsic::vector_reduce_umin:
    return Combination{0, llvm::Intrinsic::umin};
  case llvm::Intrinsic::vector_reduce_fmax:
    return Combination{0, llvm::Intrinsic::maxnum};
  case llvm::Intrinsic::vector_reduce_fmin:
    return Combination{0, llvm::Intrinsic::minnum};
  default:
    return std::nullopt;
  }
}

bool is_float_sum(const llvm::IntrinsicInst& reduction) {
  return reduction.getIntrinsicID() == llvm::Intrinsic::vector_reduce_fadd;
}

bool is_same(const llvm::Instruction& addition, const Combination& operation) {
  if (operation.opcode != 0)
    return addition.getOpcode() == operation.opcode &&
           (operation.opcode != llvm::Instruction::FAdd || addition.hasAllowReassoc());
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&addition);
  return call != nullptr && call->getIntrinsicID() == operation.intrinsic;
}

// The operand that is a reduction if the other one is `sum`; else null.
llvm::IntrinsicInst* reduction_in(const llvm::Instruction& addition, llvm::Value* sum) {
  for (unsigned i = 0; i < 2; ++i) {
    auto* reduction = llvm::dyn_cast<llvm::IntrinsicInst>(addition.getOperand(i));
    if (reduction == nullptr || addition.getOperand(1 - i) != sum)
      continue;
    const auto operation = combination_of(*reduction);
    if (operation && is_same(addition, *operation))
      return reduction;
  }
  return nullptr;
}

std::optional<Sum> sum_of(llvm::PHINode& phi, const llvm::Loop& loop) {
  if (phi.getNumIncomingValues() != 2 || !phi.hasOneUse())
    return std::nullopt;
  Sum found;
  found.sum = &phi;
  found.next = llvm::dyn_cast<llvm::Instruction>(phi.getIncomingValueForBlock(loop.getLoopLatch()));
  found.before = llvm::dyn_cast<llvm::SelectInst>(phi.user_back());
  if (found.before != nullptr &&
      (!found.before->hasOneUse() || found.before->getCondition() == &phi ||
       !llvm::isa<llvm::Constant>(found.before->getTrueValue() == &phi
                                      ? found.before->getFalseValue()
                                      : found.before->getTrueValue())))
    return std::nullopt;
  found.addition = llvm::dyn_cast<llvm::Instruction>(
      found.before != nullptr ? found.before->user_back() : phi.user_back());
  if (found.next == nullptr || found.addition == nullptr || !loop.contains(found.next) ||
      found.addition->getNumOperands() < 2)
    return std::nullopt;
  found.reduction = reduction_in(
      *found.addition, found.before != nullptr ? static_cast<llvm::Value*>(found.before) : &phi);
  if (found.reduction == nullptr || !loop.contains(found.reduction))
    return std::nullopt;
  if (found.next != found.addition) {
    auto* select = llvm::dyn_cast<llvm::SelectInst>(found.next);
    if (select == nullptr || !found.addition->hasOneUse())
      return std::nullopt;
    found.begins = select->getCondition();
    found.begins_if_false = select->getFalseValue() == found.reduction;
    auto* other = found.begins_if_false ? select->getTrueValue() : select->getFalseValue();
    if (other != found.addition ||
        (found.begins_if_false ? select->getFalseValue() : select->getTrueValue()) !=
            found.reduction)
      return std::nullopt;
  }
  // The sum has no other users in the loop.
  if (!llvm::all_of(found.next->users(), [&](const llvm::User* user) {
        return user == &phi || !loop.contains(llvm::cast<llvm::Instruction>(user));
      }))
    return std::nullopt;
  if (!llvm::all_of(found.reduction->users(), [&](const llvm::User* user) {
        return user == found.addition || user == found.next;
      }))
    return std::nullopt;
  if (is_float_sum(*found.reduction) &&
      !llvm::PatternMatch::match(found.reduction->getArgOperand(0),
                                 llvm::PatternMatch::m_NegZeroFP()))
    return std::nullopt;
  found.lanes = found.reduction->getArgOperand(is_float_sum(*found.reduction) ? 1 : 0);
  return found;
}

llvm::Constant* neutral(const llvm::IntrinsicInst& reduction, llvm::Type* type) {
  const auto bits = type->getScalarSizeInBits();
  switch (reduction.getIntrinsicID()) {
  case llvm::Intrinsic::vector_reduce_fadd:
    return llvm::ConstantFP::getNegativeZero(type);
  case llvm::Intrinsic::vector_reduce_and:
  case llvm::Intrinsic::vector_reduce_umin:
    return llvm::Constant::getAllOnesValue(type);
  case llvm::Intrinsic::vector_reduce_smax:
    return llvm::ConstantInt::get(type, llvm::APInt::getSignedMinValue(bits));
  case llvm::Intrinsic::vector_reduce_smin:
    return llvm::ConstantInt::get(type, llvm::APInt::getSignedMaxValue(bits));
  case llvm::Intrinsic::vector_reduce_fmax: // of a number and a NaN they give the number
  case llvm::Intrinsic::vector_reduce_fmin:
    return llvm::ConstantFP::getNaN(type);
  default:
    return llvm::Constant::getNullValue(type);
  }
}

void keep_apart(const Sum& found, llvm::Loop& loop) {
  auto* type = found.lanes->getType();
  auto* preheader = loop.getLoopPreheader();
  llvm::IRBuilder<> builder(preheader->getTerminator());
  auto* before = found.sum->getIncomingValueForBlock(preheader);
  auto* first =
      builder.CreateInsertElement(neutral(*found.reduction, type), before, std::uint64_t{0});
  builder.SetInsertPoint(found.sum);
  auto* sums = builder.CreatePHI(type, 2, "sums");
  sums->addIncoming(first, preheader);
  builder.SetInsertPoint(found.next);
  builder.SetCurrentDebugLocation(found.next->getDebugLoc());
  llvm::Value* next = nullptr;
  llvm::Value* so_far = sums;
  if (found.before != nullptr) {
    const auto in_lane_0 = [&](llvm::Value* value) -> llvm::Value* {
      if (value == found.sum)
        return sums;
      return builder.CreateInsertElement(neutral(*found.reduction, type), value, std::uint64_t{0});
    };
    so_far =
        builder.CreateSelect(found.before->getCondition(), in_lane_0(found.before->getTrueValue()),
                             in_lane_0(found.before->getFalseValue()));
  }
  if (llvm::isa<llvm::IntrinsicInst>(found.addition))
    next = builder.CreateBinaryIntrinsic(
        llvm::cast<llvm::IntrinsicInst>(found.addition)->getIntrinsicID(), so_far, found.lanes);
  else
    next =
        builder.CreateBinOp(static_cast<llvm::Instruction::BinaryOps>(found.addition->getOpcode()),
                            so_far, found.lanes);
  if (auto* made = llvm::dyn_cast<llvm::Instruction>(next);
      made != nullptr && llvm::isa<llvm::FPMathOperator>(made))
    made->copyFastMathFlags(found.addition);
  if (found.begins != nullptr)
    next = found.begins_if_false ? builder.CreateSelect(found.begins, next, found.lanes)
                                 : builder.CreateSelect(found.begins, found.lanes, next);
  sums->addIncoming(next, loop.getLoopLatch());
  // After the loop.
  for (auto& use : llvm::make_early_inc_range(found.next->uses())) {
    auto* exit = llvm::cast<llvm::Instruction>(use.getUser());
    if (exit == found.sum)
      continue;
    // LCSSA: a phi in an exit block whose predecessors are all in the loop.
    auto* phi = llvm::cast<llvm::PHINode>(exit);
    builder.SetInsertPoint(phi);
    auto* sums_at_exit = builder.CreatePHI(type, phi->getNumIncomingValues());
    for (auto* from : phi->blocks())
      sums_at_exit->addIncoming(next, from);
    builder.SetInsertPoint(phi->getParent(), phi->getParent()->getFirstInsertionPt());
    builder.SetCurrentDebugLocation(found.reduction->getDebugLoc());
    auto* total = found.reduction->clone();
    total->setOperand(is_float_sum(*found.reduction) ? 1 : 0, sums_at_exit);
    builder.Insert(total);
    phi->replaceAllUsesWith(total);
  }
  // The old phi and its updates use only each other.
  found.sum->replaceAllUsesWith(llvm::PoisonValue::get(found.sum->getType()));
  found.sum->eraseFromParent();
  llvm::RecursivelyDeleteTriviallyDeadInstructions(found.next);
}

// Whether the value is used outside of the loop only by phis of its exits.
bool leaves_by_phis(const Sum& found, const llvm::Loop& loop) {
  return llvm::all_of(found.next->users(), [&](const llvm::User* user) {
    const auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
    return phi == found.sum ||
           (phi != nullptr && llvm::all_of(phi->incoming_values(), [&](const llvm::Use& value) {
              return value.get() == found.next;
            }));
  });
}

} // namespace

llvm::PreservedAnalyses SinkHorizontalReductionsPass::run(llvm::Function& function,
                                                          llvm::FunctionAnalysisManager& analyses) {
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  auto& dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  bool changed = false;
  for (auto* loop : loops.getLoopsInPreorder()) {
    if (loop->getLoopPreheader() == nullptr || loop->getLoopLatch() == nullptr ||
        !loop->hasDedicatedExits())
      continue;
    llvm::SmallVector<Sum, 2> sums;
    for (auto& phi : loop->getHeader()->phis())
      if (const auto found = sum_of(phi, *loop))
        sums.push_back(*found);
    if (sums.empty())
      continue;
    llvm::formLCSSA(*loop, dominators, &loops, nullptr);
    changed = true;
    for (const auto& found : sums)
      if (leaves_by_phis(found, *loop))
        keep_apart(found, *loop);
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace heddle::compiler
