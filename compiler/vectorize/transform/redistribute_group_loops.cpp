#include "compiler/vectorize/transform/redistribute_group_loops.h"

#include "compiler/analysis/address_space_aa.h"
#include "compiler/ir/abi_builder.h"
#include "compiler/ir/subgroup_intrinsics.h"
#include "compiler/ir/work_item_params.h"
#include "compiler/lower/inline_policy.h"
#include "compiler/lower/lower_barriers.h"
#include "compiler/vectorize/analysis/group_strided_loop.h"
#include "compiler/vectorize/analysis/linearization.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/KnownBits.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace heddle::compiler {
namespace {

// The address spaces that instructions read and write, one bit each. Pointers of unknown memory are
// in space 4 (generic): LowerTargetExtTypesPass and InferAddressSpaces leave no other ones.
struct Accesses {
  unsigned reads = 0, writes = 0;
  bool is_any = false; // any other memory access or side effect
};

class HandOver {
 public:
  HandOver(llvm::Function& kernel, const VectorPlan& plan)
      : kernel_(kernel), plan_(plan), state_(work_item_params(kernel)), now_(kernel, plan),
        schedule_(kernel, now_.shapes, now_.loops, now_.dominators) {}

  RedistributedLoops run() {
    // Groups whose ids wrap around execute in other variants (LaneShapes::id_bases).
    if (!now_.shapes.id_bases().empty())
      return std::move(result_);
    for (auto* loop : now_.loops.getLoopsInPreorder())
      if (auto shape = GroupStridedLoop::find(*loop, now_.shapes); shape && is_shared(*shape))
        found_.push_back(*shape);
    // A loop that is not redistributed may have accesses that prevent the others: start again.
    for (auto other = found_.begin(); other != found_.end();)
      if (comes_too_early(*other)) {
        found_.erase(other);
        other = found_.begin();
      } else {
        ++other;
      }
    for (const auto& shape : found_)
      result_.loops[shape.header] = jump_over(shape);
    return std::move(result_);
  }

 private:
  // Whether the indices of all iterations are 0, 1, ... up to the limit, and each iteration is the
  // same in any work-item.
  bool is_shared(const GroupStridedLoop& shape) const {
    if (shape.guard == nullptr || shape.stride != 1 ||
        without_trunc(shape.init()) != state_.local_id[0] || shape.step() == nullptr ||
        !is_group_size(*shape.step()) || shape.first_limit != shape.bound.limit ||
        !(is_surely_small(shape) || is_the_same_in_all_loops(*shape.bound.limit)) ||
        !shape.loop->isLoopInvariant(shape.bound.limit) ||
        !llvm::hasSingleElement(shape.header->phis()) || !is_narrow(shape) ||
        !leads_nowhere_else(shape))
      return false;
    // Executed by all work-items of the group: nothing else makes control flow depend on them.
    if (&schedule_.mask_owner(*shape.guard) != &kernel_.getEntryBlock())
      return false;
    for (const auto* block : shape.loop->blocks())
      for (const auto& instruction : *block)
        if (!is_anybodys(instruction, shape))
          return false;
    return true;
  }

  // Below this limit the index does not wrap around.
  static llvm::APInt limit_of_limits(const Bound& bound) {
    return llvm::APInt::getOneBitSet(bound.bits, bound.bits - 2);
  }
  bool is_surely_small(const GroupStridedLoop& shape) const {
    return llvm::computeKnownBits(shape.bound.limit, kernel_.getDataLayout())
        .getMaxValue()
        .ult(limit_of_limits(shape.bound));
  }
  // Otherwise the loop could be redistributed in one iteration of an outer loop and not in another.
  bool is_the_same_in_all_loops(const llvm::Value& limit) const {
    const auto* made = llvm::dyn_cast<llvm::Instruction>(&limit);
    return made == nullptr || now_.loops.getLoopFor(made->getParent()) == nullptr;
  }

  bool is_of_launch(const llvm::LoadInst& load) const {
    return load.hasMetadata(llvm::LLVMContext::MD_invariant_load) ||
           load.getPointerOperand()->stripInBoundsConstantOffsets() == state_.group;
  }

  // Whether the step is the size of a row: a load from the group, or a constant, which jump_over()
  // compares with it at run time.
  bool is_group_size(llvm::Value& step) const {
    const auto* value = without_trunc(&step);
    if (llvm::isa<llvm::ConstantInt>(value))
      return true;
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(value);
    if (load == nullptr)
      return false;
    llvm::APInt offset(64, 0);
    const auto* base = load->getPointerOperand()->stripAndAccumulateInBoundsConstantOffsets(
        kernel_.getDataLayout(), offset);
    return base == state_.group && offset == offsetof(abi::Group, local_size);
  }

  static bool is_at_least(const llvm::Value& value, unsigned number) {
    const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&value);
    return constant != nullptr && constant->getValue().uge(number);
  }

  // Whether no bits of the index above those that are bounded have uses.
  static bool is_narrow(const GroupStridedLoop& shape) {
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
  static bool leads_nowhere_else(const GroupStridedLoop& shape) {
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
  bool is_anybodys(const llvm::Instruction& instruction, const GroupStridedLoop& shape) const {
    for (const auto& operand : instruction.operands()) {
      const auto* made = llvm::dyn_cast<llvm::Instruction>(operand.get());
      const bool is_inside = made != nullptr && shape.loop->contains(made);
      const bool is_init = &instruction == shape.index && operand.get() == shape.init();
      if (!is_inside && !is_init && !now_.shapes.is_uniform(*operand.get()))
        return false;
    }
    if (llvm::isa<llvm::AllocaInst>(instruction) || instruction.isAtomic() ||
        instruction.isVolatile())
      return false;
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
      return is_of_launch(*load) || is_shared_memory(*load->getPointerOperand());
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      return is_shared_memory(*store->getPointerOperand());
    if (llvm::isa<llvm::NoAliasScopeDeclInst, llvm::AssumeInst>(instruction))
      return true;
    return !instruction.mayReadOrWriteMemory() && !instruction.mayHaveSideEffects();
  }

  static bool is_shared_memory(const llvm::Value& pointer) {
    return (underlying_address_spaces(pointer) & ~0b1110U) == 0; // global, constant and local
  }

  // --- Dependences on what precedes the loop ----------------------------------------------------

  void add(const llvm::Instruction& instruction, Accesses& accesses) const {
    if (!instruction.mayReadOrWriteMemory() ||
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
          callee != nullptr && is_kept_out_of_line(*callee) && callee->getName().contains("_copy_"))
        return;
    accesses.is_any = true;
  }

  bool is_in_found(const llvm::BasicBlock& block) const {
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
      bool is_behind_barrier = false;
      for (const auto& instruction : llvm::reverse(*block)) {
        if (is_barrier(instruction)) {
          is_behind_barrier = true;
          break;
        }
        if (!is_in_found(*block))
          add(instruction, accesses);
      }
      if (!is_behind_barrier)
        for (auto* before : llvm::predecessors(block))
          if (seen.insert(before).second)
            work.push_back(before);
    }
    return accesses;
  }

  // Whether iterations of other sub-groups, which the first one executes before those reach the
  // loop, conflict with accesses of theirs that precede it.
  bool comes_too_early(const GroupStridedLoop& shape) const {
    Accesses own;
    for (const auto* block : shape.loop->blocks())
      for (const auto& instruction : *block)
        add(instruction, own);
    const auto before = accesses_before(*shape.guard);
    return own.is_any || before.is_any || (own.writes & (before.reads | before.writes)) != 0 ||
           (own.reads & before.writes) != 0;
  }

  // Makes all sub-groups but a row's first skip the loop, if it is redistributed. Returns the
  // condition.
  llvm::Value* jump_over(const GroupStridedLoop& shape) {
    auto* guard = shape.guard;
    auto* branch = llvm::cast<llvm::BranchInst>(guard->getTerminator());
    auto* other = branch->getSuccessor(branch->getSuccessor(0) == shape.preheader ? 1 : 0);
    llvm::IRBuilder<> builder(branch);
    builder.SetCurrentDebugLocation(branch->getDebugLoc());
    AbiBuilder access(builder);
    auto* size = access.group_word(state_.group, offsetof(abi::Group, local_size), 0);
    llvm::Value* is_whole = builder.Insert(
        new llvm::ICmpInst(llvm::ICmpInst::ICMP_UGE, size, builder.getInt64(plan_.width)));
    result_.has_whole.push_back(llvm::cast<llvm::Instruction>(is_whole));
    if (const auto* step = llvm::dyn_cast<llvm::ConstantInt>(without_trunc(shape.step())))
      is_whole = builder.CreateAnd(
          is_whole, builder.CreateICmpEQ(size, builder.getInt64(step->getZExtValue())));
    const auto& bound = shape.bound;
    auto* largest = llvm::ConstantInt::get(bound.limit->getType(), limit_of_limits(bound));
    auto* is_small =
        builder.CreateICmp(bound.is_signed ? llvm::ICmpInst::ICMP_SLT : llvm::ICmpInst::ICMP_ULT,
                           bound.limit, largest);
    auto* is_handed_over = builder.CreateAnd(is_whole, is_small, "is_handed_over");
    auto* is_later = builder.CreateICmpNE(lane_0(builder, state_.local_id[0]), builder.getInt64(0));
    auto* jumps = builder.CreateAnd(is_handed_over, is_later);
    llvm::SplitBlock(guard, branch);
    auto* old = guard->getTerminator();
    builder.SetInsertPoint(old);
    for (auto& phi : other->phis())
      phi.addIncoming(phi.getIncomingValueForBlock(branch->getParent()), guard);
    builder.CreateCondBr(jumps, other, branch->getParent());
    old->eraseFromParent();
    return is_handed_over;
  }

  llvm::Function& kernel_;
  const VectorPlan plan_;
  const WorkItemParams state_;
  Analyses now_;
  const Linearization schedule_;
  std::vector<GroupStridedLoop> found_;
  RedistributedLoops result_;
};

} // namespace

static RedistributedLoops redistribute_group_loops(llvm::Function& kernel, const VectorPlan& plan) {
  auto result = HandOver(kernel, plan).run();
  if (!result.loops.empty())
    close_loops(kernel);
  return result;
}

llvm::PreservedAnalyses
RedistributeGroupLoopsPass::run(llvm::Function& body, llvm::FunctionAnalysisManager& /*analyses*/) {
  auto& kernel = compilation_.kernel_of(body);
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
