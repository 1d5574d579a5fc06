// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/analysis/function_work.h"

#include "compiler/analysis/trip_counts.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace heddle::compiler {
namespace {

using Op = WorkEstimate::Op;

// A builtin that stays a call, such as a barrier, and an operation on memory of unknown size.
constexpr double kCostOfCall = 20;

double cost_of(const llvm::Instruction& instruction) {
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
    if (!is_reducible() || !add_costs())
      return false;
    out.push_back({Op::number, own_[nullptr]});
    for (const auto* loop : loops_)
      if (!add_loop(*loop, out))
        return false;
    if (guesses_) { // the formula is one, too
      out.push_back({Op::unknown_trips});
      out.push_back({Op::number, 0});
      out.push_back({Op::multiply});
      out.push_back({Op::add});
    }
    return out.size() <= kMostWorkSteps;
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

  bool add_costs() {
    for (auto& block : function_) {
      double cost = 0;
      for (auto& instruction : block) {
        const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        if (call == nullptr || llvm::isa<llvm::IntrinsicInst>(call)) {
          cost += cost_of(instruction);
          continue;
        }
        auto* callee = call->getCalledFunction();
        if (callee == nullptr)
          return false;
        if (callee->isDeclaration()) {
          cost += is_work_item_query(*call) ? 1 : kCostOfCall;
          continue;
        }
        const auto work = work_of_call_(*callee);
        if (!work)
          return false;
        cost += work->instructions;
        guesses_ |= work->guesses;
      }
      own_[loops_.getLoopFor(&block)] += cost;
    }
    return true;
  }

  // Adds its work to that before it.
  bool add_loop(const llvm::Loop& loop, Formula& out) {
    out.push_back({Op::number, own_[&loop]});
    for (const auto* inner : loop.getSubLoops())
      if (!add_loop(*inner, out))
        return false;
    if (!TripCounts(*evolution_, kernel_).push(loop, out))
      return false;
    out.push_back({Op::multiply});
    out.push_back({Op::add});
    return out.size() <= kMostWorkSteps;
  }

  llvm::Function& function_;
  llvm::LoopInfo& loops_;
  llvm::ScalarEvolution* evolution_ = nullptr;
  const KernelMetadata* const kernel_;
  WorkOfCall work_of_call_;
  bool guesses_ = false;                          // in a called function
  llvm::DenseMap<const llvm::Loop*, double> own_; // without that of inner loops; null: of no loop
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
