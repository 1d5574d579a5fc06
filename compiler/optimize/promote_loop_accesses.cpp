// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/optimize/promote_loop_accesses.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/DomTreeUpdater.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

namespace heddle::compiler {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Loop;
using llvm::Value;

// Alias analysis compares each address with each access.
constexpr unsigned kMaxAccesses = 256;
// Each takes a register of each lane in the whole loop.
constexpr unsigned kMaxPromoted = 16;

// The loads and stores of a loop that access one address as one type.
struct Access {
  llvm::SmallVector<Instruction*, 4> instructions; // in the order of the loop's blocks
  bool has_store = false;
};

// Accesses that are promoted together.
struct Promotion {
  llvm::SmallVector<Access*, 4> accesses;
  // All of these have a store to each address: a flag tells whether one was executed. Empty: each
  // execution of the loop stores.
  llvm::SmallSetVector<BasicBlock*, 4> stores;
  // Each execution of the loop accesses the memory: it is loaded before the loop. Else the first
  // of `stores` loads it.
  bool is_always_accessed = false;
};

bool is_store(const Instruction& instruction) { return llvm::isa<llvm::StoreInst>(instruction); }

bool is_load(const Instruction* instruction) { return llvm::isa<llvm::LoadInst>(instruction); }

bool is_simple_access(const Instruction& instruction) {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return load->isSimple();
  const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
  return store && store->isSimple();
}

class LoopPromoter {
 public:
  LoopPromoter(Loop& loop, llvm::DominatorTree& dominators, llvm::LoopInfo& loops,
               llvm::ScalarEvolution& evolution, llvm::AAResults& aliases)
      : loop_(loop), dominators_(dominators),
        updater_(dominators, llvm::DomTreeUpdater::UpdateStrategy::Eager), loops_(loops),
        evolution_(evolution), aliases_(aliases) {}

  // Appends the variables to be promoted to `variables`.
  bool run(llvm::SmallVectorImpl<llvm::AllocaInst*>& variables) {
    if (!loop_.isLoopSimplifyForm() || !collect())
      return false;
    loop_.getUniqueExitBlocks(exits_);
    loop_.getExitingBlocks(exiting_);
    unsigned count = 0;
    llvm::SmallVector<Promotion, 4> promotions;
    for (auto& [key, access] : accesses_)
      if (access.has_store && count < kMaxPromoted && is_alone(access) && add(access, promotions))
        ++count;
    for (const auto& promotion : promotions)
      promote(promotion, variables);
    return changed_ || count != 0;
  }

 private:
  // All that accesses memory in the loop; false if that is too much.
  bool collect() {
    for (auto* block : loop_.blocks())
      for (auto& instruction : *block) {
        if (!instruction.mayReadOrWriteMemory() || instruction.isDebugOrPseudoInst() ||
            llvm::isa<llvm::AssumeInst>(instruction))
          continue;
        if (all_.size() == kMaxAccesses)
          return false;
        all_.push_back(&instruction);
        if (!is_simple_access(instruction))
          continue;
        auto* pointer = llvm::getLoadStorePointerOperand(&instruction);
        const auto* address = evolution_.getSCEV(const_cast<Value*>(pointer));
        if (!evolution_.isLoopInvariant(address, &loop_))
          continue;
        auto& access = accesses_[{address, llvm::getLoadStoreType(&instruction)}];
        access.instructions.push_back(&instruction);
        access.has_store |= is_store(instruction);
      }
    return true;
  }

  // Whether nothing else in the loop may access the same memory.
  bool is_alone(const Access& access) {
    const auto location = llvm::MemoryLocation::get(access.instructions.front());
    // Metadata of one access says nothing about the others.
    const llvm::MemoryLocation any(location.Ptr, location.Size);
    return llvm::all_of(all_, [&](const Instruction* other) {
      return llvm::is_contained(access.instructions, other) ||
             !llvm::isModOrRefSet(aliases_.getModRefInfo(other, any));
    });
  }

  // Whether each execution of the loop executes the instruction before it leaves.
  bool is_always_executed(const Instruction& instruction) const {
    return llvm::all_of(exiting_, [&](const BasicBlock* exiting) {
      return dominators_.dominates(instruction.getParent(), exiting);
    });
  }

  // Whether each load is followed by a store in its block.
  static bool are_updates(const Access& access) {
    return llvm::all_of(access.instructions, [&](const Instruction* load) {
      return is_store(*load) || llvm::any_of(access.instructions, [&](const Instruction* store) {
               return is_store(*store) && store->getParent() == load->getParent() &&
                      load->comesBefore(store);
             });
    });
  }

  // Adds the access to a promotion. False if it cannot be promoted.
  bool add(Access& access, llvm::SmallVectorImpl<Promotion>& promotions) {
    Promotion added{{&access}, {}, false};
    bool is_always_stored = false;
    for (auto* instruction : access.instructions) {
      const bool is_always = is_always_executed(*instruction);
      added.is_always_accessed |= is_always;
      is_always_stored |= is_always && is_store(*instruction);
      if (is_store(*instruction))
        added.stores.insert(instruction->getParent());
    }
    if (is_always_stored)
      added.stores.clear();
    if ((!added.is_always_accessed && !are_updates(access)) ||
        !loop_.makeLoopInvariant(pointer_of(access), changed_, nullptr, nullptr, &evolution_))
      return false;
    auto* like = llvm::find_if(promotions, [&](const Promotion& other) {
      return other.stores == added.stores && other.is_always_accessed == added.is_always_accessed;
    });
    if (like == promotions.end())
      promotions.push_back(std::move(added));
    else
      like->accesses.push_back(&access);
    return true;
  }

  static Value* pointer_of(const Access& access) {
    return llvm::getLoadStorePointerOperand(access.instructions.front());
  }

  // An access to the promoted memory, outside of the loop or before its first update.
  struct Memory {
    explicit Memory(const Access& access)
        : pointer(pointer_of(access)), type(llvm::getLoadStoreType(access.instructions.front())),
          alignment(llvm::getLoadStoreAlignment(access.instructions.front())),
          metadata(access.instructions.front()->getAAMetadata()) {
      for (auto* instruction : llvm::drop_begin(access.instructions)) {
        alignment = std::min(alignment, llvm::getLoadStoreAlignment(instruction));
        metadata = metadata.merge(instruction->getAAMetadata());
      }
    }
    void load(llvm::IRBuilder<>& builder, Value* variable) const {
      auto* load = builder.CreateAlignedLoad(type, pointer, alignment);
      load->setAAMetadata(metadata);
      builder.CreateStore(load, variable);
    }
    void store(llvm::IRBuilder<>& builder, Value* variable) const {
      auto* value = builder.CreateLoad(type, variable);
      builder.CreateAlignedStore(value, pointer, alignment)->setAAMetadata(metadata);
    }
    Value* pointer;
    llvm::Type* type;
    llvm::Align alignment;
    llvm::AAMDNodes metadata;
  };

  void promote(const Promotion& promotion, llvm::SmallVectorImpl<llvm::AllocaInst*>& variables) {
    auto& entry = loop_.getHeader()->getParent()->getEntryBlock();
    llvm::IRBuilder<> at_entry(&entry, entry.begin());
    const auto add_variable = [&](llvm::Type* type, const char* name) {
      variables.push_back(at_entry.CreateAlloca(type, 0U, nullptr, name));
      return variables.back();
    };
    const auto& location = promotion.accesses.front()->instructions.front()->getDebugLoc();
    llvm::SmallVector<Memory, 4> memories;
    llvm::SmallVector<Value*, 4> values;
    for (const auto* access : promotion.accesses) {
      memories.emplace_back(*access);
      values.push_back(add_variable(memories.back().type, "promoted"));
    }
    Value* flag =
        promotion.stores.empty() ? nullptr : add_variable(at_entry.getInt1Ty(), "is_updated");

    llvm::IRBuilder<> before(loop_.getLoopPreheader()->getTerminator());
    before.SetCurrentDebugLocation(location);
    if (flag)
      before.CreateStore(before.getFalse(), flag);
    for (const auto& [access, memory, value] : llvm::zip(promotion.accesses, memories, values))
      if (promotion.is_always_accessed && llvm::any_of(access->instructions, is_load))
        memory.load(before, value);
    for (auto* exit : exits_) {
      llvm::IRBuilder<> after(exit, exit->getFirstInsertionPt());
      after.SetCurrentDebugLocation(location);
      if (flag)
        after.SetInsertPoint(llvm::SplitBlockAndInsertIfThen(
            after.CreateLoad(after.getInt1Ty(), flag), after.GetInsertPoint(), false, nullptr,
            &updater_, &loops_));
      for (const auto& [memory, value] : llvm::zip(memories, values))
        memory.store(after, value);
    }
    for (auto* block : promotion.stores) {
      auto* first = first_access(*block, promotion);
      if (!promotion.is_always_accessed)
        load_once(*first, promotion, memories, values, flag);
      llvm::IRBuilder<> builder(first);
      builder.CreateStore(builder.getTrue(), flag);
    }
    for (const auto& [access, value] : llvm::zip(promotion.accesses, values))
      for (auto* instruction : access->instructions)
        replace(*instruction, value);
  }

  static Instruction* first_access(const BasicBlock& block, const Promotion& promotion) {
    Instruction* first = nullptr;
    for (const auto* access : promotion.accesses)
      for (auto* here : access->instructions)
        if (here->getParent() == &block && (first == nullptr || here->comesBefore(first)))
          first = here;
    return first;
  }

  // Before `first`, the first access of a block, which is split there: loads what the block reads,
  // unless it has been loaded in the loop.
  void load_once(Instruction& first, const Promotion& promotion, llvm::ArrayRef<Memory> memories,
                 llvm::ArrayRef<Value*> values, Value* flag) {
    llvm::SmallVector<unsigned, 4> loaded;
    for (const auto [i, access] : llvm::enumerate(promotion.accesses))
      if (llvm::any_of(access->instructions, [&](const Instruction* here) {
            return is_load(here) && here->getParent() == first.getParent();
          }))
        loaded.push_back(static_cast<unsigned>(i));
    if (loaded.empty())
      return;
    llvm::IRBuilder<> builder(&first);
    auto* is_first = builder.CreateNot(builder.CreateLoad(builder.getInt1Ty(), flag));
    auto* rarely = llvm::MDBuilder(first.getContext()).createUnlikelyBranchWeights();
    builder.SetInsertPoint(llvm::SplitBlockAndInsertIfThen(is_first, first.getIterator(), false,
                                                           rarely, &updater_, &loops_));
    builder.SetCurrentDebugLocation(first.getDebugLoc());
    for (const auto i : loaded)
      memories[i].load(builder, values[i]);
  }

  void replace(Instruction& instruction, Value* variable) {
    llvm::IRBuilder<> builder(&instruction);
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      builder.CreateStore(store->getValueOperand(), variable);
    else
      instruction.replaceAllUsesWith(builder.CreateLoad(instruction.getType(), variable));
    evolution_.forgetValue(&instruction);
    instruction.eraseFromParent();
  }

  Loop& loop_;
  llvm::DominatorTree& dominators_;
  llvm::DomTreeUpdater updater_;
  llvm::LoopInfo& loops_;
  llvm::ScalarEvolution& evolution_;
  llvm::AAResults& aliases_;
  llvm::SmallVector<Instruction*, 32> all_;
  llvm::MapVector<std::pair<const llvm::SCEV*, llvm::Type*>, Access> accesses_;
  llvm::SmallVector<BasicBlock*, 4> exiting_;
  llvm::SmallVector<BasicBlock*, 4> exits_;
  bool changed_ = false;
};

} // namespace

llvm::PreservedAnalyses PromoteLoopAccessesPass::run(llvm::Function& function,
                                                     llvm::FunctionAnalysisManager& analyses) {
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  if (loops.empty())
    return llvm::PreservedAnalyses::all();
  auto& dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  auto& assumptions = analyses.getResult<llvm::AssumptionAnalysis>(function);
  auto& aliases = analyses.getResult<llvm::AAManager>(function);
  bool changed = false;
  for (auto* loop : loops)
    changed |= llvm::simplifyLoop(loop, &dominators, &loops, &evolution, &assumptions, nullptr,
                                  /*PreserveLCSSA=*/false);
  // Inner loops first: what they load and store outside may be promoted again.
  const auto outer_first = loops.getLoopsInPreorder();
  for (auto* loop : llvm::reverse(outer_first)) {
    llvm::SmallVector<llvm::AllocaInst*, 8> variables;
    if (!LoopPromoter(*loop, dominators, loops, evolution, aliases).run(variables))
      continue;
    llvm::PromoteMemToReg(variables, dominators, &assumptions);
    evolution.forgetLoop(loop);
    changed = true;
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace heddle::compiler
