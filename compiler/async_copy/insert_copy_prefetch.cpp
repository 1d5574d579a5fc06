// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/async_copy/insert_copy_prefetch.h"

#include "compiler/async_copy/expand_copies.h"
#include "compiler/ir/address_space.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace heddle::compiler {
namespace {

constexpr std::uint64_t kMinBytes = 256;     // of a copy
constexpr std::uint64_t kMinDistance = 2048; // in bytes

// Copies that are expanded in the kernel, with prefetches between their loads and stores.
llvm::SmallVector<llvm::CallInst*, 4> copies_to_expand(llvm::Function& body) {
  llvm::SmallVector<llvm::CallInst*, 4> copies;
  for (auto& instruction : llvm::instructions(body)) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    if (call == nullptr || call->getCalledFunction() == nullptr ||
        call->getCalledFunction()->getName() != kCopyBytes)
      continue;
    const auto* bytes = llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(2));
    if (bytes != nullptr && bytes->getValue().uge(kMinBytes) &&
        bytes->getValue().ule(kMaxPrefetchCopyBytes))
      copies.push_back(call);
  }
  return copies;
}

// Computes values of later iterations.
class LaterIteration {
 public:
  explicit LaterIteration(llvm::Function& body)
      : library_of_(llvm::Triple(body.getParent()->getTargetTriple())), library_(library_of_),
        assumptions_(body), tree_(body), loops_(tree_),
        evolution_(body, library_, assumptions_, tree_, loops_) {}

  // Emits the copy's source `distance` iterations later, before the copy. Null if it is not known,
  // or the same address. It may be past the last iteration's.
  llvm::Value* emit_source(llvm::CallInst& copy, std::uint64_t distance) {
    auto* now = copy.getArgOperand(1)->stripPointerCasts();
    loop_ = loops_.getLoopFor(copy.getParent());
    if (loop_ == nullptr || now->getType()->getPointerAddressSpace() != kGlobal ||
        !is_computable(*now))
      return nullptr;
    llvm::IRBuilder<> builder(&copy);
    later_.clear();
    distance_ = distance;
    auto* later = emit(builder, *now);
    return later != now ? later : nullptr;
  }

 private:
  bool is_invariant(const llvm::Value& value) const {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    return instruction == nullptr || !loop_->contains(instruction);
  }

  // The stride of an induction variable; null if it is none, or has no simple stride.
  llvm::Value* stride_of(llvm::PHINode& variable) {
    if (variable.getParent() != loop_->getHeader() || !evolution_.isSCEVable(variable.getType()))
      return nullptr;
    const auto* recurrence = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution_.getSCEV(&variable));
    if (recurrence == nullptr || recurrence->getLoop() != loop_ || !recurrence->isAffine())
      return nullptr;
    const auto* stride = recurrence->getStepRecurrence(evolution_);
    if (const auto* constant = llvm::dyn_cast<llvm::SCEVConstant>(stride))
      return constant->getValue();
    const auto* value = llvm::dyn_cast<llvm::SCEVUnknown>(stride);
    return value != nullptr ? value->getValue() : nullptr;
  }

  // Whether the value is computed by a few instructions from induction variables and loop-invariant
  // values.
  bool is_computable(llvm::Value& value, unsigned depth = 0) {
    constexpr unsigned kMaxDepth = 8;
    if (is_invariant(value))
      return true;
    if (depth == kMaxDepth)
      return false;
    if (auto* variable = llvm::dyn_cast<llvm::PHINode>(&value))
      return stride_of(*variable) != nullptr;
    auto& instruction = llvm::cast<llvm::Instruction>(value);
    return llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::GetElementPtrInst>(instruction) &&
           !instruction.isIntDivRem() &&
           llvm::all_of(instruction.operands(), [&](const auto& operand) {
             return is_computable(*operand.get(), depth + 1);
           });
  }

  llvm::Value* emit(llvm::IRBuilder<>& builder, llvm::Value& value) {
    if (is_invariant(value))
      return &value;
    if (auto* known = later_.lookup(&value))
      return known;
    if (auto* variable = llvm::dyn_cast<llvm::PHINode>(&value)) {
      auto* stride = stride_of(*variable);
      auto* offset =
          builder.CreateMul(stride, llvm::ConstantInt::get(stride->getType(), distance_));
      auto* later = value.getType()->isPointerTy()
                        ? builder.CreateGEP(builder.getInt8Ty(), variable, offset)
                        : builder.CreateAdd(variable, offset);
      return later_[&value] = later;
    }
    auto& now = llvm::cast<llvm::Instruction>(value);
    llvm::SmallVector<llvm::Value*, 4> operands;
    for (auto& operand : now.operands())
      operands.push_back(emit(builder, *operand.get()));
    if (llvm::equal(operands, now.operand_values())) // loop-invariant
      return later_[&value] = &value;
    auto* copy = builder.Insert(now.clone(), "later");
    copy->dropPoisonGeneratingFlags(); // after the last iteration they may not hold
    for (auto [use, operand] : llvm::zip_equal(copy->operands(), operands))
      use.set(operand);
    return later_[&value] = copy;
  }

  llvm::TargetLibraryInfoImpl library_of_;
  llvm::TargetLibraryInfo library_;
  llvm::AssumptionCache assumptions_;
  llvm::DominatorTree tree_;
  llvm::LoopInfo loops_;
  llvm::ScalarEvolution evolution_;
  const llvm::Loop* loop_ = nullptr;
  std::uint64_t distance_ = 1;                       // in iterations
  llvm::DenseMap<llvm::Value*, llvm::Value*> later_; // of this copy
};

llvm::Function& declare_copy_and_prefetch(llvm::Function& copy) {
  auto* next = llvm::PointerType::get(copy.getContext(), kGlobal);
  llvm::SmallVector<llvm::Type*, 4> types(copy.getFunctionType()->params());
  types.push_back(next);
  auto* type = llvm::FunctionType::get(copy.getReturnType(), types, false);
  auto* function = llvm::cast<llvm::Function>(
      copy.getParent()
          ->getOrInsertFunction(kCopyAndPrefetch, type, copy.getAttributes())
          .getCallee());
  return *function;
}

} // namespace

llvm::PreservedAnalyses InsertCopyPrefetchPass::run(llvm::Function& function,
                                                    llvm::FunctionAnalysisManager& /*analyses*/) {
  const auto copies = copies_to_expand(function);
  if (copies.empty())
    return llvm::PreservedAnalyses::all();
  LaterIteration later(function);
  for (auto* copy : copies) {
    const auto bytes = llvm::cast<llvm::ConstantInt>(copy->getArgOperand(2))->getZExtValue();
    auto* next = later.emit_source(*copy, llvm::divideCeil(kMinDistance, bytes));
    if (next == nullptr)
      continue;
    llvm::SmallVector<llvm::Value*, 4> arguments(copy->args());
    arguments.push_back(next);
    llvm::IRBuilder<> builder(copy);
    builder.CreateCall(&declare_copy_and_prefetch(*copy->getCalledFunction()), arguments);
    copy->eraseFromParent();
  }
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
