// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/transform/redistribute_group_loops.h"

#include "compiler/analysis/address_space_aa.h"
#include "compiler/ir/abi_builder.h"
#include "compiler/ir/address_space.h"
#include "compiler/ir/bounds_check.h"
#include "compiler/ir/subgroup_intrinsics.h"
#include "compiler/ir/work_item_params.h"
#include "compiler/lower/inline_policy.h"
#include "compiler/lower/lower_barriers.h"
#include "compiler/vectorize/analysis/group_strided_loop.h"
#include "compiler/vectorize/analysis/linearization.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/KnownBits.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace heddle::compiler {
namespace {

// The address spaces that instructions read and write, one bit each. Pointers of unknown memory are
// in space 4 (generic): LowerTargetExtTypesPass and InferAddressSpaces leave no other ones.
struct Accesses {
  unsigned reads = 0, writes = 0;
  bool has_others = false; // any other memory access or side effect
};

class LoopRedistribution {
 public:
  LoopRedistribution(llvm::Function& kernel, const VectorPlan& plan)
      : kernel_(kernel), plan_(plan), params_(work_item_params(kernel)), analyses_(kernel, plan),
        linearization_(kernel, analyses_.shapes, analyses_.loops, analyses_.dominators) {}

  RedistributedLoops run() {
    // Groups whose ids wrap around execute in other variants (LaneShapes::id_bases).
    if (!analyses_.shapes.id_bases().empty())
      return std::move(result_);
    for (auto* loop : analyses_.loops.getLoopsInPreorder())
      if (auto shape = GroupStridedLoop::find(*loop, analyses_.shapes);
          shape && is_redistributable(*shape))
        found_.push_back(*shape);
    // A loop that is not redistributed may have accesses that prevent the others: start again.
    for (auto other = found_.begin(); other != found_.end();)
      if (has_conflict(*other)) {
        found_.erase(other);
        other = found_.begin();
      } else {
        ++other;
      }
    for (const auto& shape : found_)
      result_.loops[shape.header] = emit_skip(shape);
    return std::move(result_);
  }

 private:
  // Whether the indices of all iterations are 0, 1, ... up to the limit, and each iteration is the
  // same in any work-item.
  bool is_redistributable(const GroupStridedLoop& shape) const {
    if (shape.guard == nullptr || shape.stride != 1 ||
        strip_trunc(shape.init()) != params_.local_id[0] || shape.step() == nullptr ||
        !is_row_size(*shape.step()) || shape.first_limit != shape.bound.limit ||
        !(has_small_limit(shape) || is_defined_outside_loops(*shape.bound.limit)) ||
        !shape.loop->isLoopInvariant(shape.bound.limit) ||
        !llvm::hasSingleElement(shape.header->phis()) || !uses_low_bits_only(shape) ||
        !has_no_live_outs(shape))
      return false;
    // Executed by all work-items of the group: nothing else makes control flow depend on them.
    if (&linearization_.mask_owner(*shape.guard) != &kernel_.getEntryBlock())
      return false;
    for (const auto* block : shape.loop->blocks())
      for (const auto& instruction : *block)
        if (!is_same_in_any_work_item(instruction, shape))
          return false;
    return true;
  }

  // Below this limit the index does not wrap around.
  static llvm::APInt max_limit(const Bound& bound) {
    return llvm::APInt::getOneBitSet(bound.bits, bound.bits - 2);
  }
  bool has_small_limit(const GroupStridedLoop& shape) const {
    return llvm::computeKnownBits(shape.bound.limit, kernel_.getDataLayout())
        .getMaxValue()
        .ult(max_limit(shape.bound));
  }
  // Otherwise the loop could be redistributed in one iteration of an outer loop and not in another.
  bool is_defined_outside_loops(const llvm::Value& limit) const {
    const auto* definition = llvm::dyn_cast<llvm::Instruction>(&limit);
    return definition == nullptr || analyses_.loops.getLoopFor(definition->getParent()) == nullptr;
  }

  bool is_of_launch(const llvm::LoadInst& load) const {
    return load.hasMetadata(llvm::LLVMContext::MD_invariant_load) ||
           load.getPointerOperand()->stripInBoundsConstantOffsets() == params_.group;
  }

  // Whether the step is the size of a row: a load from the group, or a constant, which emit_skip()
  // compares with it at run time.
  bool is_row_size(llvm::Value& step) const {
    const auto* value = strip_trunc(&step);
    if (llvm::isa<llvm::ConstantInt>(value))
      return true;
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(value);
    if (load == nullptr)
      return false;
    llvm::APInt offset(64, 0);
    const auto* base = load->getPointerOperand()->stripAndAccumulateInBoundsConstantOffsets(
        kernel_.getDataLayout(), offset);
    return base == params_.group && offset == offsetof(abi::Group, local_size);
  }

  static bool is_at_least(const llvm::Value& value, unsigned number) {
    const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&value);
    return constant != nullptr && constant->getValue().uge(number);
  }

  // Whether no bits of the index above those that are bounded have uses.
  static bool uses_low_bits_only(const GroupStridedLoop& shape) {
    if (shape.index->getType()->getIntegerBitWidth() == shape.bound.bits)
      return true;
    return llvm::all_of(shape.index->users(), [&](const llvm::User* user) {
      const auto& instruction = *llvm::cast<llvm::Instruction>(user);
      const auto is_kept = [&](const llvm::User* of) {
        return shape.added_to_index(*llvm::cast<llvm::Instruction>(of)).has_value();
      };
      return (instruction.getOpcode() == llvm::Instruction::Add &&
              llvm::all_of(instruction.users(), is_kept)) ||
             (llvm::isa<llvm::TruncInst>(instruction) &&
              instruction.getType()->getIntegerBitWidth() == shape.bound.bits) ||
             is_kept(user) ||
             (instruction.getOpcode() == llvm::Instruction::Shl &&
              instruction.getOperand(0) == shape.index &&
              is_at_least(*instruction.getOperand(1),
                          shape.index->getType()->getIntegerBitWidth() - shape.bound.bits));
    });
  }

  // Whether control flow and phis after the loop are the same as if it is skipped.
  static bool has_no_live_outs(const GroupStridedLoop& shape) {
    const auto* branch = llvm::cast<llvm::BranchInst>(shape.guard->getTerminator());
    const auto* other = branch->getSuccessor(branch->getSuccessor(0) == shape.preheader ? 1 : 0);
    if (shape.exit->size() != 1 || shape.exit->getSingleSuccessor() != other)
      return false;
    return llvm::all_of(other->phis(), [&](const llvm::PHINode& phi) {
      return phi.getIncomingValueForBlock(shape.guard) == phi.getIncomingValueForBlock(shape.exit);
    });
  }

  // Whether any work-item can execute the instruction in place of another: it depends on the index
  // and uniform values only, and accesses shared memory only.
  bool is_same_in_any_work_item(const llvm::Instruction& instruction,
                                const GroupStridedLoop& shape) const {
    for (const auto& operand : instruction.operands()) {
      const auto* definition = llvm::dyn_cast<llvm::Instruction>(operand.get());
      const bool is_inside = definition != nullptr && shape.loop->contains(definition);
      const bool is_init = &instruction == shape.index && operand.get() == shape.init();
      if (!is_inside && !is_init && !analyses_.shapes.is_uniform(*operand.get()))
        return false;
    }
    if (llvm::isa<llvm::AllocaInst>(instruction) || instruction.isAtomic() ||
        instruction.isVolatile())
      return false;
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
      return is_of_launch(*load) || is_shared_memory(*load->getPointerOperand());
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      return is_shared_memory(*store->getPointerOperand());
    if (llvm::isa<llvm::NoAliasScopeDeclInst, llvm::AssumeInst>(instruction) ||
        is_bounds_check(instruction))
      return true;
    return !instruction.mayReadOrWriteMemory() && !instruction.mayHaveSideEffects();
  }

  static bool is_shared_memory(const llvm::Value& pointer) {
    constexpr unsigned kShared = 1U << kGlobal | 1U << kConstant | 1U << kLocal;
    return (underlying_address_spaces(pointer) & ~kShared) == 0;
  }

  // --- Dependences on what precedes the loop ----------------------------------------------------

  void add(const llvm::Instruction& instruction, Accesses& accesses) const {
    if (!instruction.mayReadOrWriteMemory() || is_bounds_check(instruction) ||
        llvm::isa<llvm::NoAliasScopeDeclInst, llvm::AssumeInst, llvm::LifetimeIntrinsic>(
            instruction))
      return;
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
    if (load != nullptr && load->isUnordered()) {
      if (!is_of_launch(*load))
        accesses.reads |= underlying_address_spaces(*load->getPointerOperand());
      return;
    }
    if (store != nullptr && store->isUnordered()) {
      accesses.writes |= underlying_address_spaces(*store->getPointerOperand());
      return;
    }
    // Async copies are unordered until the wait for them, which is a barrier.
    if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
      if (const auto* callee = call->getCalledFunction();
          callee != nullptr && is_group_copy(*callee))
        return;
    accesses.has_others = true;
  }

  bool is_in_redistributed_loop(const llvm::BasicBlock& block) const {
    return llvm::any_of(
        found_, [&](const GroupStridedLoop& shape) { return shape.loop->contains(&block); });
  }

  // All accesses that a work-item may execute between its last barrier and the block's end, without
  // those of loops that are redistributed as well.
  Accesses accesses_before(llvm::BasicBlock& end) const {
    Accesses accesses;
    llvm::SmallPtrSet<llvm::BasicBlock*, 16> seen{&end};
    llvm::SmallVector<llvm::BasicBlock*, 16> work{&end};
    while (!work.empty()) {
      auto* block = work.pop_back_val();
      bool is_after_barrier = false;
      for (const auto& instruction : llvm::reverse(*block)) {
        if (is_barrier(instruction)) {
          is_after_barrier = true;
          break;
        }
        if (!is_in_redistributed_loop(*block))
          add(instruction, accesses);
      }
      if (!is_after_barrier)
        for (auto* predecessor : llvm::predecessors(block))
          if (seen.insert(predecessor).second)
            work.push_back(predecessor);
    }
    return accesses;
  }

  // Whether iterations of other sub-groups, which the first one executes before those reach the
  // loop, conflict with accesses of theirs that precede it.
  bool has_conflict(const GroupStridedLoop& shape) const {
    Accesses own;
    for (const auto* block : shape.loop->blocks())
      for (const auto& instruction : *block)
        add(instruction, own);
    const auto earlier = accesses_before(*shape.guard);
    return own.has_others || earlier.has_others ||
           (own.writes & (earlier.reads | earlier.writes)) != 0 ||
           (own.reads & earlier.writes) != 0;
  }

  // Makes all sub-groups but a row's first skip the loop, if it is redistributed. Returns the
  // condition.
  llvm::Value* emit_skip(const GroupStridedLoop& shape) {
    auto* guard = shape.guard;
    auto* branch = llvm::cast<llvm::BranchInst>(guard->getTerminator());
    auto* other = branch->getSuccessor(branch->getSuccessor(0) == shape.preheader ? 1 : 0);
    llvm::IRBuilder<> builder(branch);
    builder.SetCurrentDebugLocation(branch->getDebugLoc());
    AbiBuilder access(builder);
    auto* size = access.group_word(params_.group, offsetof(abi::Group, local_size), 0);
    llvm::Value* has_full_subgroup = builder.Insert(
        new llvm::ICmpInst(llvm::ICmpInst::ICMP_UGE, size, builder.getInt64(plan_.width)));
    result_.has_full_subgroup.push_back(llvm::cast<llvm::Instruction>(has_full_subgroup));
    if (const auto* step = llvm::dyn_cast<llvm::ConstantInt>(strip_trunc(shape.step())))
      has_full_subgroup = builder.CreateAnd(
          has_full_subgroup, builder.CreateICmpEQ(size, builder.getInt64(step->getZExtValue())));
    const auto& bound = shape.bound;
    auto* max_value = llvm::ConstantInt::get(bound.limit->getType(), max_limit(bound));
    auto* is_small =
        builder.CreateICmp(bound.is_signed ? llvm::ICmpInst::ICMP_SLT : llvm::ICmpInst::ICMP_ULT,
                           bound.limit, max_value);
    auto* is_redistributed = builder.CreateAnd(has_full_subgroup, is_small, "is_redistributed");
    auto* is_not_first =
        builder.CreateICmpNE(emit_lane_0(builder, params_.local_id[0]), builder.getInt64(0));
    auto* skips = builder.CreateAnd(is_redistributed, is_not_first);
    llvm::SplitBlock(guard, branch);
    auto* old = guard->getTerminator();
    builder.SetInsertPoint(old);
    for (auto& phi : other->phis())
      phi.addIncoming(phi.getIncomingValueForBlock(branch->getParent()), guard);
    builder.CreateCondBr(skips, other, branch->getParent());
    old->eraseFromParent();
    return is_redistributed;
  }

  llvm::Function& kernel_;
  const VectorPlan plan_;
  const WorkItemParams params_;
  Analyses analyses_;
  const Linearization linearization_;
  std::vector<GroupStridedLoop> found_;
  RedistributedLoops result_;
};

} // namespace

static RedistributedLoops redistribute_group_loops(llvm::Function& kernel, const VectorPlan& plan) {
  auto result = LoopRedistribution(kernel, plan).run();
  if (!result.loops.empty())
    form_lcssa(kernel);
  return result;
}

llvm::PreservedAnalyses
RedistributeGroupLoopsPass::run_on_kernel(Kernel& kernel,
                                          llvm::FunctionAnalysisManager& /*analyses*/) {
  auto& body = *kernel.body;
  auto& plan = *kernel.plan;
  // On fibers, sub-groups do not execute in order of x. Memory checks report a work-item's
  // accesses.
  if (plan.is_vectorized() && (kernel.regions.are_used || !kernel.metadata.has_barrier) &&
      !calls_subgroup_intrinsics(body) && compilation_.build.request.checks == 0 &&
      !plan.has_guards)
    plan.redistributed = redistribute_group_loops(body, body_plan(kernel));
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
