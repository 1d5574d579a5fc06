// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/analysis/retry_loops.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

namespace heddle::compiler {
namespace {

class ReadBack {
 public:
  ReadBack(const llvm::Loop& loop, const llvm::DominatorTree& dominators,
           llvm::function_ref<bool(const llvm::Value&, const llvm::Value&)> is_same_address)
      : loop_(loop), dominators_(dominators), is_same_address_(is_same_address) {
    loop.getLoopLatches(latches_);
  }

  // Whether the block is executed in each iteration, and leaves the loop if what is loaded is what
  // has been stored.
  bool ends_loop(const llvm::BasicBlock& block) const {
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    const auto* comparison = branch != nullptr && branch->isConditional()
                                 ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition())
                                 : nullptr;
    if (comparison == nullptr || !comparison->isEquality() || !precedes_latches(block))
      return false;
    const unsigned if_equal = comparison->getPredicate() == llvm::ICmpInst::ICMP_EQ ? 0 : 1;
    const auto& first = *comparison->getOperand(0);
    const auto& second = *comparison->getOperand(1);
    return !loop_.contains(branch->getSuccessor(if_equal)) &&
           (is_stored_before(first, second) || is_stored_before(second, first));
  }

 private:
  bool precedes_latches(const llvm::BasicBlock& block) const {
    return llvm::all_of(latches_,
                        [&](const auto* latch) { return dominators_.dominates(&block, latch); });
  }

  // Whether `read` is loaded from where `value` has been stored in the same iteration.
  bool is_stored_before(const llvm::Value& read, const llvm::Value& value) const {
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(&read);
    return load != nullptr && loop_.contains(load) &&
           llvm::any_of(loop_.blocks(), [&](const llvm::BasicBlock* block) {
             return llvm::any_of(*block, [&](const llvm::Instruction& instruction) {
               const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
               return store != nullptr && store->getValueOperand() == &value &&
                      dominators_.dominates(store, load) &&
                      is_same_address_(*store->getPointerOperand(), *load->getPointerOperand());
             });
           });
  }

  const llvm::Loop& loop_;
  const llvm::DominatorTree& dominators_;
  const llvm::function_ref<bool(const llvm::Value&, const llvm::Value&)> is_same_address_;
  llvm::SmallVector<llvm::BasicBlock*, 4> latches_;
};

} // namespace

bool reads_back_what_it_stores(
    const llvm::Loop& loop, const llvm::DominatorTree& dominators,
    llvm::function_ref<bool(const llvm::Value&, const llvm::Value&)> is_same_address) {
  const ReadBack read_back(loop, dominators, is_same_address);
  llvm::SmallVector<llvm::BasicBlock*, 4> exiting;
  loop.getExitingBlocks(exiting);
  return llvm::any_of(exiting, [&](const auto* block) { return read_back.ends_loop(*block); });
}

} // namespace heddle::compiler
