// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/unroll_for_sroa.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace heddle::compiler {
namespace {

constexpr std::uint64_t kMaxArrayBytes = 1024; // bytes of one work-item
// Limit of instructions of the kernel after unrolling.
constexpr std::uint64_t kMaxUnrolledKernel = 2'000;
constexpr unsigned kDeepestIndex = 12;

using Loops = llvm::SmallSetVector<llvm::Loop*, 4>;

class Candidates {
 public:
  Candidates(llvm::LoopInfo& loops, llvm::ScalarEvolution& evolution)
      : loops_(loops), evolution_(evolution) {}

  // The loops whose induction variables index the array; nothing if there are other indices or
  // other uses of the array.
  std::optional<Loops> of_array(const llvm::AllocaInst& array) {
    Loops found;
    return add_uses(array, found) ? std::optional(found) : std::nullopt;
  }

  unsigned length(const llvm::Loop& loop) { return evolution_.getSmallConstantTripCount(&loop); }

 private:
  bool add_uses(const llvm::Value& pointer, Loops& found) {
    for (const auto& use : pointer.uses()) {
      const auto* user = use.getUser();
      if (const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(user)) {
        for (const auto& index : address->indices())
          if (!add_index(*index.get(), found, 0))
            return false;
        if (!add_uses(*address, found))
          return false;
      } else if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) {
        if (store->getValueOperand() == &pointer || store->isVolatile())
          return false;
      } else if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(user)) {
        if (load->isVolatile())
          return false;
      } else if (!llvm::isa<llvm::LifetimeIntrinsic, llvm::MemIntrinsic>(user)) {
        return false;
      }
    }
    return true;
  }

  bool add_index(const llvm::Value& index, Loops& found, unsigned depth) {
    if (llvm::isa<llvm::ConstantInt>(index))
      return true;
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&index);
    if (instruction == nullptr || depth > kDeepestIndex)
      return false;
    if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(instruction)) {
      auto* loop = loops_.getLoopFor(phi->getParent());
      if (loop == nullptr || loop->getHeader() != phi->getParent() || length(*loop) == 0 ||
          !evolution_.isSCEVable(phi->getType()) ||
          !llvm::isa<llvm::SCEVAddRecExpr>(evolution_.getSCEV(const_cast<llvm::PHINode*>(phi))))
        return false;
      found.insert(loop);
      return llvm::all_of(phi->incoming_values(), [&](const llvm::Use& value) {
        return loop->contains(phi->getIncomingBlock(value)) ||
               add_index(*value.get(), found, depth + 1);
      });
    }
    if (!llvm::isa<llvm::BinaryOperator, llvm::CastInst>(instruction))
      return false;
    return llvm::all_of(instruction->operands(), [&](const llvm::Use& operand) {
      return add_index(*operand.get(), found, depth + 1);
    });
  }

  llvm::LoopInfo& loops_;
  llvm::ScalarEvolution& evolution_;
};

// Whether the loop is marked already, by the program or by MarkLoopsForUnrollPass.
bool is_unrolled(const llvm::Loop& loop) {
  return llvm::findOptionMDForLoop(&loop, "llvm.loop.unroll.full") != nullptr;
}

bool may_be_copied(const llvm::Loop& loop) {
  for (const auto* block : loop.blocks())
    for (const auto& instruction : *block)
      if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
          call != nullptr && (call->cannotDuplicate() || call->isConvergent()))
        return false;
  return loop.getLoopLatch() != nullptr &&
         (is_unrolled(loop) || llvm::hasUnrollTransformation(&loop) == llvm::TM_Unspecified);
}

// Instructions of the loop after unrolling it and the marked loops inside it.
std::uint64_t unrolled_size(const llvm::Loop& loop, const Loops& chosen, Candidates& candidates) {
  std::uint64_t size = 0;
  for (const auto* block : loop.blocks())
    size += block->size();
  for (const auto* inner : loop) {
    std::uint64_t own = 0;
    for (const auto* block : inner->blocks())
      own += block->size();
    size += unrolled_size(*inner, chosen, candidates) - own;
  }
  return chosen.contains(const_cast<llvm::Loop*>(&loop)) ? size * candidates.length(loop) : size;
}

std::uint64_t unrolled_size(const llvm::Function& function, const llvm::LoopInfo& loops,
                            const Loops& chosen, Candidates& candidates) {
  std::uint64_t size = function.getInstructionCount();
  for (const auto* loop : loops) {
    for (const auto* block : loop->blocks())
      size -= block->size();
    size += unrolled_size(*loop, chosen, candidates);
  }
  return size;
}

} // namespace

llvm::PreservedAnalyses UnrollForSroaPass::run(llvm::Function& function,
                                               llvm::FunctionAnalysisManager& analyses) {
  llvm::SmallVector<const llvm::AllocaInst*, 8> arrays;
  const auto& layout = function.getParent()->getDataLayout();
  for (const auto& instruction : function.getEntryBlock())
    if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
      if (const auto size = variable->getAllocationSize(layout);
          size && size->getFixedValue() <= kMaxArrayBytes)
        arrays.push_back(variable);
  if (arrays.empty() || function.getInstructionCount() > kMaxUnrolledKernel)
    return llvm::PreservedAnalyses::all();
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  if (loops.empty())
    return llvm::PreservedAnalyses::all();
  Candidates candidates(loops, analyses.getResult<llvm::ScalarEvolutionAnalysis>(function));
  Loops chosen;
  for (const auto* array : arrays) {
    const auto wanted = candidates.of_array(*array);
    if (!wanted || !llvm::all_of(*wanted, [](const auto* loop) { return may_be_copied(*loop); }))
      continue;
    auto together = chosen;
    together.insert_range(*wanted);
    if (unrolled_size(function, loops, together, candidates) <= kMaxUnrolledKernel)
      chosen = std::move(together);
  }
  for (auto* loop : chosen)
    if (!is_unrolled(*loop))
      llvm::addStringMetadataToLoop(loop, "llvm.loop.unroll.full", 1);
  return llvm::PreservedAnalyses::all();
}

} // namespace heddle::compiler
