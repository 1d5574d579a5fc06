// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/mark_loops_for_unroll.h"

#include "compiler/ir/address_space.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Metadata.h"

#include <cstdlib>
#include <numeric>
#include <optional>

namespace heddle::compiler {
namespace {

// Limit of instructions of a loop with its inner loops, after unrolling.
constexpr std::uint64_t kMaxUnrolledInstructions = 768;
// The most adjacent elements of a work-item.
constexpr unsigned kMaxElements = 8;
// What a loop executes again in each iteration; the rest is computed once when it is unrolled, such
// as loads from the descriptor of an image.
class RepeatedWork {
 public:
  explicit RepeatedWork(const llvm::Loop& loop) : loop_(loop) {}

  bool contains(const llvm::Instruction& instruction) {
    const auto [place, is_new] = known_.try_emplace(&instruction, true);
    if (is_new) {
      const bool repeats = is_repeated(instruction);
      known_[&instruction] = repeats;
      return repeats;
    }
    return place->second;
  }

 private:
  bool is_repeated(const llvm::Instruction& instruction) {
    if (llvm::isa<llvm::PHINode>(instruction) || instruction.isTerminator() ||
        (instruction.mayReadOrWriteMemory() &&
         !instruction.hasMetadata(llvm::LLVMContext::MD_invariant_load)))
      return true;
    return llvm::any_of(instruction.operands(), [&](const llvm::Use& operand) {
      const auto* used = llvm::dyn_cast<llvm::Instruction>(operand);
      return used != nullptr && loop_.contains(used) && contains(*used);
    });
  }

  const llvm::Loop& loop_;
  llvm::DenseMap<const llvm::Instruction*, bool> known_;
};

std::uint64_t unrolled_size(const llvm::Loop& loop, RepeatedWork& work,
                            llvm::ScalarEvolution& evolution) {
  const std::uint64_t rounds = evolution.getSmallConstantTripCount(&loop);
  std::uint64_t size = 0;
  for (const auto* inner : loop) {
    const auto own = unrolled_size(*inner, work, evolution);
    if (own == 0)
      return 0;
    size += own;
  }
  for (const auto* block : loop.blocks())
    if (llvm::none_of(loop, [&](const auto* inner) { return inner->contains(block); }))
      for (const auto& instruction : *block)
        size += work.contains(instruction);
  return rounds * size;
}

bool clamps(const llvm::Loop& loop) {
  return llvm::any_of(loop.blocks(), [](const llvm::BasicBlock* block) {
    return llvm::any_of(*block, [](const llvm::Instruction& instruction) {
      return llvm::isa<llvm::MinMaxIntrinsic>(instruction);
    });
  });
}

// How much more the number is in each iteration, if nothing overflows and that is a constant.
std::optional<std::int64_t> step_of(const llvm::SCEV& number, const llvm::Loop& loop,
                                    llvm::ScalarEvolution& evolution) {
  if (evolution.isLoopInvariant(&number, &loop))
    return 0;
  if (const auto* cast = llvm::dyn_cast<llvm::SCEVCastExpr>(&number))
    return step_of(*cast->getOperand(), loop, evolution);
  if (const auto* counter = llvm::dyn_cast<llvm::SCEVAddRecExpr>(&number)) {
    const auto* step = llvm::dyn_cast<llvm::SCEVConstant>(counter->getStepRecurrence(evolution));
    return step != nullptr && counter->getLoop() == &loop ? step->getAPInt().trySExtValue()
                                                          : std::nullopt;
  }
  const bool is_product = llvm::isa<llvm::SCEVMulExpr>(number);
  if (!is_product && !llvm::isa<llvm::SCEVAddExpr>(number))
    return std::nullopt;
  std::int64_t factor = 1, sum = 0;
  for (const auto* operand : number.operands()) {
    const auto* constant = llvm::dyn_cast<llvm::SCEVConstant>(operand);
    const auto step = step_of(*operand, loop, evolution);
    if (!step || (is_product && constant == nullptr && *step == 0))
      return std::nullopt;
    if (is_product && constant != nullptr)
      factor = constant->getAPInt().trySExtValue().value_or(0);
    sum += *step;
  }
  return factor * sum;
}

// A factor of the number but for constant terms, before the first iteration, if nothing overflows;
// 0 of constants.
std::uint64_t factor_of(const llvm::SCEV& number, const llvm::Loop& loop,
                        llvm::ScalarEvolution& evolution) {
  if (llvm::isa<llvm::SCEVConstant>(number))
    return 0;
  if (const auto* cast = llvm::dyn_cast<llvm::SCEVCastExpr>(&number))
    return factor_of(*cast->getOperand(), loop, evolution);
  if (const auto* counter = llvm::dyn_cast<llvm::SCEVAddRecExpr>(&number);
      counter != nullptr && counter->getLoop() == &loop)
    return factor_of(*counter->getStart(), loop, evolution);
  if (const auto* product = llvm::dyn_cast<llvm::SCEVMulExpr>(&number)) {
    std::uint64_t factor = 1;
    for (const auto* operand : product->operands()) {
      const auto* constant = llvm::dyn_cast<llvm::SCEVConstant>(operand);
      factor *= constant == nullptr ? factor_of(*operand, loop, evolution)
                                    : constant->getAPInt().abs().getLimitedValue();
    }
    return factor;
  }
  if (llvm::isa<llvm::SCEVAddExpr, llvm::SCEVAddRecExpr>(number)) {
    std::uint64_t factor = 0;
    for (const auto* operand : number.operands())
      factor = std::gcd(factor, factor_of(*operand, loop, evolution));
    return factor;
  }
  return std::uint64_t{1} << std::min(evolution.getMinTrailingZeros(&number), 31U);
}

// Whether the loop accesses the elements of an array of arrays of as many elements as it has
// iterations, one after the other: a[4 * i + k].
bool is_array_of_arrays(llvm::Instruction& access, const llvm::Loop& loop,
                        llvm::ScalarEvolution& evolution) {
  auto* address = llvm::getLoadStorePointerOperand(&access);
  if (address == nullptr || (address->getType()->getPointerAddressSpace() != kGlobal &&
                             address->getType()->getPointerAddressSpace() != kConstant))
    return false;
  const auto* known = evolution.getSCEV(address);
  const auto* place = evolution.getMinusSCEV(known, evolution.getPointerBase(known));
  if (llvm::isa<llvm::SCEVCouldNotCompute>(place))
    return false;
  const auto& layout = access.getDataLayout();
  const auto size = layout.getTypeStoreSize(llvm::getLoadStoreType(&access)).getFixedValue();
  const auto step = step_of(*place, loop, evolution);
  if (!step || static_cast<std::uint64_t>(std::abs(*step)) != size)
    return false;
  const auto factor = factor_of(*place, loop, evolution);
  return factor != 0 && factor % (size * evolution.getSmallConstantTripCount(&loop)) == 0;
}

// Whether such accesses are next to each other once the loop is unrolled (MergeComponentsPass).
bool accesses_adjacent_elements(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  if (!loop.isInnermost() || evolution.getSmallConstantTripCount(&loop) > kMaxElements)
    return false;
  bool accesses = false;
  for (auto* block : loop.blocks())
    for (auto& instruction : *block) {
      if (llvm::isa<llvm::CallBase>(instruction) && instruction.mayWriteToMemory())
        return false;
      accesses = accesses || is_array_of_arrays(instruction, loop, evolution);
    }
  return accesses;
}

void mark(llvm::Loop& loop, llvm::StringRef property) {
  auto& context = loop.getHeader()->getContext();
  llvm::SmallVector<llvm::Metadata*, 4> operands{nullptr};
  if (const auto* old = loop.getLoopID())
    operands.append(std::next(old->op_begin()), old->op_end());
  operands.push_back(llvm::MDNode::get(context, llvm::MDString::get(context, property)));
  auto* id = llvm::MDNode::getDistinct(context, operands);
  id->replaceOperandWith(0, id);
  loop.setLoopID(id);
}

bool has_wish(const llvm::Loop& loop) {
  const auto* id = loop.getLoopID();
  return id != nullptr && llvm::any_of(id->operands(), [](const llvm::MDOperand& operand) {
           const auto* node = llvm::dyn_cast<llvm::MDNode>(operand.get());
           const auto* name = node != nullptr && node->getNumOperands() != 0
                                  ? llvm::dyn_cast<llvm::MDString>(node->getOperand(0))
                                  : nullptr;
           return name != nullptr && name->getString().starts_with("llvm.loop.unroll");
         });
}

// Whether the loop updates memory atomically at addresses of its own in each iteration, as a
// histogram does, and has no private arrays that unrolling could replace by values. The CPU
// predicts for each instruction whether an update waits for earlier ones, and hundreds of copies
// predict badly: 16 iterations of 16 lanes took 10 to 50 times as long unrolled (Zen 4).
bool counts_at_addresses(const llvm::Loop& loop) {
  bool counts = false;
  for (const auto* block : loop.blocks())
    for (const auto& instruction : *block) {
      const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction);
      counts |= update != nullptr && !loop.isLoopInvariant(update->getPointerOperand());
      const auto* pointer = llvm::getLoadStorePointerOperand(&instruction);
      if (pointer != nullptr && llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer)))
        return false;
    }
  return counts;
}

} // namespace

llvm::PreservedAnalyses MarkLoopsForUnrollPass::run(llvm::Function& function,
                                                    llvm::FunctionAnalysisManager& analyses) {
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  for (auto* loop : loops.getLoopsInPreorder()) {
    if (!has_wish(*loop) && counts_at_addresses(*loop))
      mark(*loop, "llvm.loop.unroll.disable");
    if (has_wish(*loop))
      continue;
    RepeatedWork work(*loop);
    const auto size = unrolled_size(*loop, work, evolution);
    if (size != 0 && size <= kMaxUnrolledInstructions &&
        (clamps(*loop) || accesses_adjacent_elements(*loop, evolution)))
      mark(*loop, "llvm.loop.unroll.full");
  }
  return llvm::PreservedAnalyses::all();
}

} // namespace heddle::compiler
