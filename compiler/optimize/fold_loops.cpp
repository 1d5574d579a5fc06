// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/optimize/fold_loops.h"

#include "compiler/lower/lower_work_item_queries.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopRotationUtils.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

#include <optional>

namespace heddle::compiler {
namespace {

// Sums of squares and cubes of 64-bit integers have wider ones between.
constexpr unsigned kMaxBits = 128;

constexpr unsigned kMaxHeader = 32; // instructions that rotation may duplicate

// Whether all that the loop carries from one iteration to the next are integers.
bool only_counts(const llvm::Loop& loop) {
  return llvm::all_of(loop.getHeader()->phis(),
                      [](const auto& phi) { return phi.getType()->isIntegerTy(); });
}

// Whether any execution, also one that the program does not ask for, is harmless.
bool is_speculatable(const llvm::Instruction& instruction) {
  if (llvm::isSafeToSpeculativelyExecute(&instruction))
    return true;
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const auto* callee = call != nullptr ? call->getCalledFunction() : nullptr;
  return callee != nullptr && is_work_item_query(callee->getName());
}

using Instructions = llvm::SmallVector<llvm::Instruction*, 16>;

struct Folded {
  llvm::PHINode* phi;      // in the exit block
  const llvm::SCEV* value; // behind the last iteration
};

// Of a loop without effects.
struct Invariants {
  Instructions movable; // the same in all iterations, in an order in which they may leave the loop
  bool has_other_addresses = false; // loads from addresses that are not the same
};

class LoopFolder {
 public:
  LoopFolder(llvm::Function& function, llvm::FunctionAnalysisManager& analyses)
      : dominators_(analyses.getResult<llvm::DominatorTreeAnalysis>(function)),
        loops_(analyses.getResult<llvm::LoopAnalysis>(function)),
        assumptions_(analyses.getResult<llvm::AssumptionAnalysis>(function)),
        target_(analyses.getResult<llvm::TargetIRAnalysis>(function)),
        library_(analyses.getResult<llvm::TargetLibraryAnalysis>(function)), function_(function) {}

  bool run() {
    bool has_changed = false;
    const auto loops = loops_.getLoopsInPreorder();
    for (auto* loop : llvm::reverse(loops)) { // inner loops first
      const auto invariants = find_invariants(*loop);
      if (!invariants || !may_be_formula(*loop, *invariants))
        continue;
      if (!evolution_)
        reset_evolution();
      if (!loop->isLoopSimplifyForm() || !loop->isLCSSAForm(dominators_)) {
        llvm::simplifyLoop(loop, &dominators_, &loops_, &*evolution_, &assumptions_, nullptr,
                           false);
        llvm::formLCSSA(*loop, dominators_, &loops_, &*evolution_);
        has_changed = true;
      }
      if (!loop->isLoopSimplifyForm() || loop->getUniqueExitBlock() == nullptr)
        continue;
      if (!invariants->has_other_addresses)
        has_changed |= rotate(*loop);
      if (fold(*loop)) {
        has_changed = true;
      } else if (hoist(*loop)) {
        rotate(*loop);
        fold(*loop);
        has_changed = true;
      }
    }
    return has_changed;
  }

 private:
  // Whether neither conditions nor what is used outside of the loop depend on floats, or on loads
  // from addresses that change: those are no formulas. Most loops without effects are sums of such.
  bool may_be_formula(const llvm::Loop& loop, const Invariants& invariants) {
    llvm::SmallPtrSet<const llvm::Value*, 16> unknown;
    llvm::LoopBlocksRPO blocks(const_cast<llvm::Loop*>(&loop));
    blocks.perform(&loops_);
    for (std::size_t before = 1; before != unknown.size();) {
      before = unknown.size();
      for (auto* block : blocks)
        for (const auto& instruction : *block) {
          const bool is_unknown =
              instruction.getType()->isFPOrFPVectorTy() ||
              (instruction.mayReadFromMemory() &&
               !llvm::all_of(instruction.operands(), [&](const llvm::Use& operand) {
                 return loop.isLoopInvariant(operand.get()) ||
                        llvm::is_contained(invariants.movable, operand.get());
               }));
          if (!is_unknown && llvm::none_of(instruction.operands(), [&](const llvm::Use& operand) {
                return unknown.contains(operand.get());
              }))
            continue;
          if (instruction.isTerminator() ||
              llvm::any_of(instruction.users(), [&](const llvm::User* user) {
                return !loop.contains(llvm::cast<llvm::Instruction>(user));
              }))
            return false;
          unknown.insert(&instruction);
        }
    }
    return true;
  }

  // Nothing if the loop has effects.
  std::optional<Invariants> find_invariants(const llvm::Loop& loop) {
    Invariants found;
    llvm::SmallPtrSet<const llvm::Value*, 16> known;
    llvm::LoopBlocksRPO blocks(const_cast<llvm::Loop*>(&loop));
    blocks.perform(&loops_);
    for (auto* block : blocks)
      for (auto& instruction : *block) {
        if (instruction.mayHaveSideEffects())
          return std::nullopt;
        const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
        const bool is_reached = block == loop.getHeader() && load != nullptr && load->isSimple();
        const bool may_move =
            !llvm::isa<llvm::PHINode>(instruction) && !instruction.isTerminator() &&
            (is_reached || is_speculatable(instruction)) &&
            llvm::all_of(instruction.operands(), [&](const llvm::Use& operand) {
              return loop.isLoopInvariant(operand.get()) || known.contains(operand.get());
            });
        if (may_move) {
          known.insert(&instruction);
          found.movable.push_back(&instruction);
        } else if (instruction.mayReadFromMemory()) {
          found.has_other_addresses |=
              load == nullptr || !(loop.isLoopInvariant(load->getPointerOperand()) ||
                                   known.contains(load->getPointerOperand()));
        }
      }
    return found;
  }

  // Moves the test of whether there is another iteration to the end of the loop: what the first one
  // executes may then move out, and it is known behind the test.
  bool rotate(llvm::Loop& loop) {
    return !loop.isRotatedForm() &&
           llvm::LoopRotation(&loop, &loops_, &target_, &assumptions_, &dominators_, &*evolution_,
                              nullptr, llvm::SimplifyQuery(loop.getHeader()->getDataLayout()), true,
                              kMaxHeader, false);
  }

  void reset_evolution() {
    evolution_.emplace(function_, library_, assumptions_, dominators_, loops_);
  }

  // ScalarEvolution knows sums and products in a loop to be the same in all iterations, but neither
  // selections nor loads.
  bool hoist(llvm::Loop& loop) {
    const auto invariants = only_counts(loop) ? find_invariants(loop) : std::nullopt;
    if (!invariants || invariants->has_other_addresses || invariants->movable.empty())
      return false;
    for (auto* instruction : invariants->movable) {
      if (instruction->getParent() != loop.getHeader())
        instruction->dropUBImplyingAttrsAndMetadata({llvm::LLVMContext::MD_invariant_load});
      instruction->moveBefore(loop.getLoopPreheader()->getTerminator()->getIterator());
    }
    // Expressions are unique, and those that exist are not simplified again.
    reset_evolution();
    return true;
  }

  bool fold(llvm::Loop& loop) {
    if (loop.getExitingBlock() == nullptr)
      return false;
    llvm::PredicatedScalarEvolution evolution(*evolution_, loop);
    const auto* count = evolution.getBackedgeTakenCount();
    if (llvm::isa<llvm::SCEVCouldNotCompute>(count))
      return false;
    llvm::SCEVExpander expander(*evolution_, "folded");
    llvm::LoopToScevMapT at_end{{&loop, count}};
    llvm::SmallVector<Folded, 4> values;
    for (auto& phi : loop.getUniqueExitBlock()->phis()) {
      auto* value = phi.getIncomingValueForBlock(loop.getExitingBlock());
      if (loop.isLoopInvariant(value))
        continue;
      if (!evolution_->isSCEVable(value->getType()))
        return false;
      const auto* known =
          llvm::SCEVLoopAddRecRewriter::rewrite(evolution.getSCEV(value), at_end, *evolution_);
      if (!may_expand(known, loop, expander))
        return false;
      values.push_back({&phi, known});
    }
    if (evolution.getPredicate().isAlwaysTrue())
      replace(loop, values, expander);
    else
      bypass(loop, evolution.getPredicate(), values, expander);
    return true;
  }

  bool may_expand(const llvm::SCEV* value, const llvm::Loop& loop,
                  const llvm::SCEVExpander& expander) {
    return evolution_->isLoopInvariant(value, &loop) &&
           !llvm::SCEVExprContains(value,
                                   [&](const llvm::SCEV* part) {
                                     return llvm::isa<llvm::SCEVCouldNotCompute>(part) ||
                                            evolution_->getTypeSizeInBits(part->getType()) >
                                                kMaxBits;
                                   }) &&
           expander.isSafeToExpandAt(value, loop.getLoopPreheader()->getTerminator());
  }

  static void expand(const Folded& folded, llvm::SCEVExpander& expander, llvm::BasicBlock* from,
                     llvm::Instruction* where) {
    folded.phi->setIncomingValueForBlock(
        from, expander.expandCodeFor(folded.value, folded.phi->getType(), where->getIterator()));
  }

  void replace(llvm::Loop& loop, llvm::ArrayRef<Folded> values, llvm::SCEVExpander& expander) {
    for (const auto& folded : values)
      expand(folded, expander, loop.getExitingBlock(), loop.getLoopPreheader()->getTerminator());
    expander.clear();
    evolution_->forgetTopmostLoop(&loop);
    llvm::deleteDeadLoop(&loop, &dominators_, &*evolution_, &loops_);
  }

  // Adds a block beside the loop for when the predicate holds.
  void bypass(llvm::Loop& loop, const llvm::SCEVPredicate& predicate, llvm::ArrayRef<Folded> values,
              llvm::SCEVExpander& expander) {
    auto* check = loop.getLoopPreheader();
    auto* exiting = loop.getExitingBlock();
    auto* exit = loop.getUniqueExitBlock();
    auto* fails = expander.expandCodeForPredicate(&predicate, check->getTerminator());
    auto* preheader = llvm::SplitBlock(check, check->getTerminator(), &dominators_, &loops_);
    auto* folded =
        llvm::BasicBlock::Create(exit->getContext(), "folded", exit->getParent(), preheader);
    auto* leave = llvm::BranchInst::Create(exit, folded);
    leave->setDebugLoc(check->getTerminator()->getDebugLoc());
    llvm::ReplaceInstWithInst(check->getTerminator(),
                              llvm::BranchInst::Create(preheader, folded, fails));
    dominators_.addNewBlock(folded, check);
    dominators_.changeImmediateDominator(exit, check);
    if (auto* parent = loop.getParentLoop())
      parent->addBasicBlockToLoop(folded, loops_);
    for (auto& phi : exit->phis())
      phi.addIncoming(phi.getIncomingValueForBlock(exiting), folded);
    for (const auto& value : values)
      expand(value, expander, folded, leave);
    expander.clear();
    evolution_->forgetTopmostLoop(&loop);
    llvm::formDedicatedExitBlocks(&loop, &dominators_, &loops_, nullptr, true);
  }

  llvm::DominatorTree& dominators_;
  llvm::LoopInfo& loops_;
  llvm::AssumptionCache& assumptions_;
  const llvm::TargetTransformInfo& target_;
  llvm::TargetLibraryInfo& library_;
  llvm::Function& function_;
  std::optional<llvm::ScalarEvolution> evolution_;
};

} // namespace

llvm::PreservedAnalyses FoldLoopsPass::run(llvm::Function& function,
                                           llvm::FunctionAnalysisManager& analyses) {
  llvm::SmallVector<std::pair<const llvm::BasicBlock*, const llvm::BasicBlock*>, 8> back_edges;
  llvm::FindFunctionBackedges(function, back_edges);
  if (back_edges.empty() || !LoopFolder(function, analyses).run())
    return llvm::PreservedAnalyses::all();
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
