// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/optimize/promote_atomics.h"

#include "compiler/ir/fault_markers.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

#include <optional>

namespace heddle::compiler {
namespace {

using llvm::AtomicRMWInst;

// The operation that combines updates, and its identity.
struct Update {
  unsigned opcode = 0; // or
  llvm::Intrinsic::ID intrinsic = llvm::Intrinsic::not_intrinsic;
  llvm::Intrinsic::ID reduction = llvm::Intrinsic::not_intrinsic;
  llvm::APInt neutral;
};

std::optional<Update> update_of(AtomicRMWInst::BinOp operation, unsigned bits) {
  using Op = llvm::Instruction;
  namespace I = llvm::Intrinsic;
  switch (operation) {
  case AtomicRMWInst::Add:
  case AtomicRMWInst::Sub:
    return Update{Op::Add, 0, I::vector_reduce_add, llvm::APInt::getZero(bits)};
  case AtomicRMWInst::And:
    return Update{Op::And, 0, I::vector_reduce_and, llvm::APInt::getAllOnes(bits)};
  case AtomicRMWInst::Or:
    return Update{Op::Or, 0, I::vector_reduce_or, llvm::APInt::getZero(bits)};
  case AtomicRMWInst::Xor:
    return Update{Op::Xor, 0, I::vector_reduce_xor, llvm::APInt::getZero(bits)};
  case AtomicRMWInst::Max:
    return Update{0, I::smax, I::vector_reduce_smax, llvm::APInt::getSignedMinValue(bits)};
  case AtomicRMWInst::Min:
    return Update{0, I::smin, I::vector_reduce_smin, llvm::APInt::getSignedMaxValue(bits)};
  case AtomicRMWInst::UMax:
    return Update{0, I::umax, I::vector_reduce_umax, llvm::APInt::getZero(bits)};
  case AtomicRMWInst::UMin:
    return Update{0, I::umin, I::vector_reduce_umin, llvm::APInt::getAllOnes(bits)};
  default:
    return std::nullopt;
  }
}

llvm::Value* combine(llvm::IRBuilderBase& builder, const Update& operation, llvm::Value* a,
                     llvm::Value* b) {
  return operation.opcode != 0
             ? builder.CreateBinOp(static_cast<llvm::Instruction::BinaryOps>(operation.opcode), a,
                                   b)
             : builder.CreateBinaryIntrinsic(operation.intrinsic, a, b);
}

// The update of a loop that otherwise only reads, in each iteration before the update; null for
// other loops. Only loops over sub-groups have fault markers: in those, the next iteration is for
// other work-items.
AtomicRMWInst* only_update(const llvm::Loop& loop, const llvm::DominatorTree& dominators) {
  AtomicRMWInst* update = nullptr;
  bool has_note = false;
  for (auto* block : loop.blocks())
    for (auto& instruction : *block) {
      if (is_fault_marker(instruction)) {
        has_note = true;
      } else if (auto* atomic = llvm::dyn_cast<AtomicRMWInst>(&instruction)) {
        if (update != nullptr)
          return nullptr;
        update = atomic;
      } else if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
        if (!load->isSimple())
          return nullptr;
      } else if (instruction.mayHaveSideEffects()) {
        return nullptr;
      }
    }
  if (!has_note || update == nullptr || update->isVolatile() || !update->use_empty() ||
      update->getOrdering() != llvm::AtomicOrdering::Monotonic ||
      !update->getType()->isIntegerTy() || !loop.isLoopInvariant(update->getPointerOperand()))
    return nullptr;
  for (auto* block : loop.blocks())
    for (auto& instruction : *block)
      if (instruction.mayReadFromMemory() && &instruction != update &&
          !is_fault_marker(instruction) && !dominators.dominates(&instruction, update))
        return nullptr;
  return update;
}

void defer(AtomicRMWInst& update, const Update& operation, llvm::Loop& loop,
           llvm::BasicBlock& exit) {
  auto* preheader = loop.getLoopPreheader();
  auto* latch = loop.getLoopLatch();
  // The horizontal reduction is sunk as well.
  auto* value = update.getValOperand();
  auto* reduction = llvm::dyn_cast<llvm::IntrinsicInst>(value);
  if (reduction != nullptr && (reduction->getIntrinsicID() != operation.reduction ||
                               !loop.contains(reduction) || !reduction->hasOneUse()))
    reduction = nullptr;
  if (reduction != nullptr)
    value = reduction->getArgOperand(0);
  auto* type = value->getType();
  auto* neutral = llvm::ConstantInt::get(type, operation.neutral);

  llvm::IRBuilder<> builder(&loop.getHeader()->front());
  auto* before = builder.CreatePHI(type, 2, "deferred");
  builder.SetInsertPoint(&update);
  auto* after = combine(builder, operation, before, value);
  llvm::SSAUpdater values;
  values.Initialize(type, "deferred");
  values.AddAvailableValue(loop.getHeader(), before);
  values.AddAvailableValue(update.getParent(), after);
  before->addIncoming(neutral, preheader);
  auto* last = values.GetValueAtEndOfBlock(latch);
  before->addIncoming(last, latch);

  builder.SetInsertPoint(&exit, exit.getFirstInsertionPt());
  builder.SetCurrentDebugLocation(update.getDebugLoc());
  llvm::Value* total = last;
  if (reduction != nullptr) {
    auto* made = reduction->clone();
    made->setOperand(0, last);
    builder.Insert(made);
    total = made;
  }
  // The address may be invalid if no iteration updates it.
  auto* changes = builder.CreateICmpNE(
      total, llvm::ConstantInt::get(total->getType(), operation.neutral), "changes");
  auto* then = llvm::SplitBlockAndInsertIfThen(changes, &*builder.GetInsertPoint(), false);
  auto* made = update.clone();
  made->setOperand(1, total);
  made->insertBefore(then->getIterator());
  update.eraseFromParent();
  if (reduction != nullptr)
    reduction->eraseFromParent();
}

} // namespace

llvm::PreservedAnalyses PromoteAtomicsPass::run(llvm::Function& function,
                                                llvm::FunctionAnalysisManager& analyses) {
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  auto& dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  bool changed = false;
  for (auto* loop : loops.getLoopsInPreorder()) {
    auto* exit = loop->getExitBlock();
    if (!loop->isInnermost() || loop->getLoopLatch() == nullptr || exit == nullptr ||
        loop->getExitingBlock() != loop->getLoopLatch())
      continue;
    auto* update = only_update(*loop, dominators);
    if (update == nullptr)
      continue;
    const auto operation =
        update_of(update->getOperation(), update->getType()->getIntegerBitWidth());
    if (!operation)
      continue;
    if (loop->getLoopPreheader() == nullptr &&
        llvm::InsertPreheaderForLoop(loop, &dominators, &loops, nullptr, false) == nullptr)
      continue;
    if (exit->getSinglePredecessor() == nullptr)
      exit = llvm::SplitEdge(loop->getLoopLatch(), exit, &dominators, &loops);
    defer(*update, *operation, *loop, *exit);
    dominators.recalculate(function);
    changed = true;
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace heddle::compiler
