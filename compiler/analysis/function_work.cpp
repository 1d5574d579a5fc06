// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/analysis/function_work.h"

#include "compiler/analysis/trip_counts.h"
#include "compiler/ir/address_space.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace heddle::compiler {
namespace {

using Op = WorkEstimate::Op;
using Amount = WorkEstimate::Amount;
using Amounts = WorkEstimate::Amounts;

// A builtin that stays a call, such as a barrier, and an operation on memory of unknown size.
constexpr double kCostOfCall = 20;

double instructions_of(const llvm::Instruction& instruction) {
  if (llvm::isa<llvm::PHINode>(instruction) || instruction.isDebugOrPseudoInst())
    return 0;
  if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      intrinsic != nullptr && intrinsic->isAssumeLikeIntrinsic())
    return 0;
  if (llvm::isa<llvm::MemIntrinsic>(instruction) || instruction.isAtomic())
    return kCostOfCall;
  const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
  const auto* type = store != nullptr ? store->getValueOperand()->getType() : instruction.getType();
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector != nullptr ? vector->getNumElements() : 1;
}

double flops_of(const llvm::Instruction& instruction) {
  const auto* type = instruction.getType();
  if (!type->isFPOrFPVectorTy() || llvm::isa<llvm::CastInst>(instruction))
    return 0;
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  const double components = vector != nullptr ? vector->getNumElements() : 1;
  if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) {
    const auto id = intrinsic->getIntrinsicID();
    return id == llvm::Intrinsic::fma || id == llvm::Intrinsic::fmuladd ? 2 * components
                                                                        : components;
  }
  return instruction.isBinaryOp() ? components : 0;
}

bool is_double(const llvm::Value& value) { return value.getType()->getScalarType()->isDoubleTy(); }

// Whether it is in global or constant memory, as far as its type and origin tell.
bool is_in_buffer(const llvm::Value& pointer) {
  const auto is_buffer = [](const llvm::Value& value) {
    const auto space = value.getType()->getPointerAddressSpace();
    return space == kGlobal || space == kConstant;
  };
  return is_buffer(pointer) || is_buffer(*llvm::getUnderlyingObject(&pointer));
}

Amounts amounts_of(const llvm::Instruction& instruction) {
  const auto flops = flops_of(instruction);
  Amounts amounts{instructions_of(instruction), flops, is_double(instruction) ? flops : 0, 0, 0};
  auto& read = amounts[static_cast<std::size_t>(Amount::bytes_read)];
  auto& written = amounts[static_cast<std::size_t>(Amount::bytes_written)];
  const auto& layout = instruction.getDataLayout();
  const auto size_of = [&](llvm::Type* type) {
    return static_cast<double>(layout.getTypeStoreSize(type).getFixedValue());
  };
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    if (is_in_buffer(*load->getPointerOperand()))
      read = size_of(load->getType());
  } else if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    if (is_in_buffer(*store->getPointerOperand()))
      written = size_of(store->getValueOperand()->getType());
  } else if (const auto* atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
    if (is_in_buffer(*atomic->getPointerOperand()))
      read = written = size_of(atomic->getType());
  }
  return amounts;
}

// Of a builtin that stays a call: operations on floating-point numbers count as one.
Amounts amounts_of_builtin(const llvm::CallBase& call) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(call.getType());
  const double components = vector != nullptr ? vector->getNumElements() : 1;
  const double flops = call.getType()->isFPOrFPVectorTy() ? components : 0;
  return {is_work_item_query(call) ? 1 : kCostOfCall, flops, is_double(call) ? flops : 0, 0, 0};
}

Amounts& operator+=(Amounts& sum, const Amounts& more) {
  for (std::size_t i = 0; i < sum.size(); ++i)
    sum[i] += more[i];
  return sum;
}

class FunctionWork {
 public:
  FunctionWork(llvm::Function& function, llvm::FunctionAnalysisManager& analyses,
               const KernelMetadata* kernel, WorkOfCall work_of_call)
      : function_(function), loops_(analyses.getResult<llvm::LoopAnalysis>(function)),
        kernel_(kernel), work_of_call_(work_of_call) {
    if (!loops_.empty())
      evolution_ = &analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  }

  bool run(Formula& out) {
    if (!is_reducible() || !add_amounts())
      return false;
    out.push_back({Op::amounts, 0, own_[nullptr]});
    for (const auto* loop : loops_)
      if (!add_loop(*loop, out))
        return false;
    if (guesses_) { // the formula is one, too
      out.push_back({Op::unknown_trips});
      out.push_back({Op::number, 0});
      out.push_back({Op::multiply});
      out.push_back({Op::add});
    }
    return out.size() <= kMaxWorkSteps;
  }

 private:
  bool is_reducible() const {
    llvm::DenseMap<const llvm::BasicBlock*, unsigned> number;
    const llvm::ReversePostOrderTraversal<const llvm::Function*> order(&function_);
    for (const auto* block : order)
      number.try_emplace(block, number.size());
    for (const auto* block : order)
      for (const auto* next : llvm::successors(block))
        if (number.lookup(next) <= number.lookup(block)) {
          const auto* loop = loops_.getLoopFor(next);
          if (loop == nullptr || loop->getHeader() != next || !loop->contains(block))
            return false;
        }
    return true;
  }

  bool add_amounts() {
    for (auto& block : function_) {
      Amounts amounts{};
      for (auto& instruction : block) {
        const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        if (call == nullptr || llvm::isa<llvm::IntrinsicInst>(call)) {
          amounts += amounts_of(instruction);
          continue;
        }
        auto* callee = call->getCalledFunction();
        if (callee == nullptr)
          return false;
        if (callee->isDeclaration()) {
          amounts += amounts_of_builtin(*call);
          continue;
        }
        const auto work = work_of_call_(*callee);
        if (!work)
          return false;
        amounts += work->amounts;
        guesses_ |= work->guesses;
      }
      own_[loops_.getLoopFor(&block)] += amounts;
    }
    return true;
  }

  // Adds its work to that before it.
  bool add_loop(const llvm::Loop& loop, Formula& out) {
    out.push_back({Op::amounts, 0, own_[&loop]});
    for (const auto* inner : loop.getSubLoops())
      if (!add_loop(*inner, out))
        return false;
    if (!TripCounts(*evolution_, kernel_).push(loop, out))
      return false;
    out.push_back({Op::multiply});
    out.push_back({Op::add});
    return out.size() <= kMaxWorkSteps;
  }

  llvm::Function& function_;
  llvm::LoopInfo& loops_;
  llvm::ScalarEvolution* evolution_ = nullptr;
  const KernelMetadata* const kernel_;
  WorkOfCall work_of_call_;
  bool guesses_ = false; // in a called function
  // Without those of inner loops; null: of no loop.
  llvm::DenseMap<const llvm::Loop*, Amounts> own_;
};

} // namespace

void hoist_queries(llvm::Function& function) {
  auto& entry = function.getEntryBlock();
  for (auto& instruction : llvm::make_early_inc_range(llvm::instructions(function)))
    if (is_work_item_query(instruction) && instruction.getParent() != &entry)
      instruction.moveBefore(entry, entry.getFirstInsertionPt());
}

bool add_work_of(llvm::Function& function, llvm::FunctionAnalysisManager& analyses,
                 const KernelMetadata* kernel, WorkOfCall work_of_call, Formula& out) {
  return FunctionWork(function, analyses, kernel, work_of_call).run(out);
}

} // namespace heddle::compiler
