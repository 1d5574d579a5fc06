//   before                          after
//   if (i < n)                      if (i < n in all lanes)         unmasked loop
//     do                              do
//       BODY                            BODY, with i = i of lane 0 + lane * stride
//       i += step                       i += step
//     while (i < n)                   while (i < n in all lanes)
//                                   if (i < n)                      remainder
//                                     do BODY; i += step while (i < n)
//
// i < n in all lanes if i of lane 0 < n - (width - 1) * stride, and that difference does not wrap.
#include "compiler/vectorize/transform/peel_masked_remainder.h"

#include "compiler/vectorize/analysis/group_strided_loop.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace heddle::compiler {
namespace {

constexpr std::size_t kLargestKernel = 4000; // instructions
// Limit of constants that are added to an index without overflow.
constexpr std::int64_t kLargestAdded = 1 << 20;

class WholeRounds {
 public:
  WholeRounds(llvm::Function& kernel, unsigned width, const GroupStridedLoop& shape,
              llvm::Value* is_handed_over)
      : kernel_(kernel), width_(width), shape_(shape), is_handed_over_(is_handed_over) {}

  // Returns the preheader of the remainder.
  llvm::BasicBlock* run(UnmaskedLoops& redistributed) {
    open();
    copy_loop();
    state_facts();
    end_rounds();
    join();
    for (auto* block : shape_.loop->blocks())
      mark_as_rest(*block);
    mark_as_rest(*apart_);
    mark_as_rest(*leave_);
    if (is_handed_over_ != nullptr)
      redistributed.push_back({copy_of(shape_.header), shape_.first_limit, shape_.bound.is_signed});
    return join_;
  }

 private:
  static void mark_as_rest(llvm::BasicBlock& block) {
    block.getTerminator()->setMetadata(kRestOfRounds, llvm::MDNode::get(block.getContext(), {}));
  }

  llvm::ConstantInt* reach() {
    return llvm::ConstantInt::get(llvm::IntegerType::get(kernel_.getContext(), shape_.bound.bits),
                                  shape_.stride * (width_ - 1));
  }

  // Emits whether the bound holds for all lanes.
  llvm::Value* is_whole(llvm::IRBuilder<>& builder, llvm::Value* value, llvm::Value* limit) {
    auto* first = lane_0(builder, shape_.low_bits(builder, value));
    auto* is_below =
        builder.CreateICmp(shape_.bound.predicate(), first, builder.CreateSub(limit, reach()));
    // limit - reach must not wrap around.
    auto* lowest = shape_.bound.is_signed
                       ? llvm::ConstantInt::get(reach()->getType(),
                                                llvm::APInt::getSignedMinValue(shape_.bound.bits) +
                                                    reach()->getValue())
                       : reach();
    auto* has_room = builder.CreateICmp(shape_.bound.is_signed ? llvm::ICmpInst::ICMP_SGE
                                                               : llvm::ICmpInst::ICMP_UGE,
                                        limit, lowest);
    return builder.CreateAnd(has_room, is_below, "is_whole");
  }

  // --- The loops --------------------------------------------------------------------------------

  void open() {
    if (shape_.guard != nullptr) {
      for (auto& instruction : llvm::make_early_inc_range(
               llvm::make_range(shape_.preheader->begin(), std::prev(shape_.preheader->end()))))
        instruction.moveBefore(shape_.guard->getTerminator()->getIterator());
      begin_ = shape_.guard;
      apart_ = llvm::SplitBlock(begin_, begin_->getTerminator());
      join_ = shape_.preheader;
    } else {
      begin_ = shape_.preheader;
      apart_ = llvm::SplitBlock(begin_, begin_->getTerminator());
      join_ = llvm::SplitBlock(apart_, apart_->getTerminator());
    }
    apart_->setName("rounds.apart");
    join_->setName("rounds.left");
  }

  void copy_loop() {
    auto& context = kernel_.getContext();
    for (auto* block : shape_.loop->blocks()) {
      blocks_.push_back(llvm::CloneBasicBlock(block, copies_, ".whole", &kernel_));
      copies_[block] = blocks_.back();
    }
    enter_ = llvm::BasicBlock::Create(context, "whole", &kernel_, apart_);
    leave_ = llvm::BasicBlock::Create(context, "whole.done", &kernel_, apart_);
    copies_[join_] = enter_;
    copies_[shape_.exit] = leave_;
    llvm::remapInstructionsInBlocks(blocks_, copies_);
    for (auto* block : blocks_)
      block->moveBefore(leave_);
    llvm::SmallVector<llvm::MDNode*, 4> scopes;
    llvm::identifyNoAliasScopesToClone(shape_.loop->getBlocks(), scopes);
    llvm::cloneAndAdaptNoAliasScopes(scopes, blocks_, context, "whole");

    llvm::IRBuilder<> builder(begin_->getTerminator());
    builder.SetCurrentDebugLocation(shape_.latch->getTerminator()->getDebugLoc());
    auto* init = shape_.index->getIncomingValueForBlock(join_);
    if (is_handed_over_ != nullptr)
      init = start_for_all(builder, init);
    auto* whole = is_whole(builder, init, shape_.first_limit);
    builder.CreateCondBr(whole, enter_, apart_);
    begin_->getTerminator()->eraseFromParent();
    builder.SetInsertPoint(enter_);
    builder.CreateBr(copy_of(shape_.header));
  }

  // A redistributed loop starts at 0, which is the first sub-group's lowest id; with the constant
  // its trip count is often constant too.
  llvm::Value* start_for_all(llvm::IRBuilder<>& builder, llvm::Value* init) {
    auto* first = lane_0(builder, init);
    first =
        builder.CreateSelect(is_handed_over_, llvm::ConstantInt::get(first->getType(), 0), first);
    auto* start = line_from(builder, first, static_cast<std::int64_t>(shape_.stride), true, true);
    llvm::cast<llvm::PHINode>(copy_of<llvm::Value>(shape_.index))
        ->setIncomingValueForBlock(enter_, start);
    return start;
  }

  void end_rounds() {
    auto* latch = copy_of(shape_.latch);
    auto* branch = llvm::cast<llvm::BranchInst>(latch->getTerminator());
    condition_ = branch->getCondition();
    llvm::IRBuilder<> builder(branch);
    next_ = is_handed_over_ != nullptr ? next_after_all(builder) : copy_of(shape_.next());
    auto* again = is_whole(builder, next_, copy_of(shape_.bound.limit));
    auto* back = builder.CreateCondBr(again, copy_of(shape_.header), leave_);
    back->setMetadata(llvm::LLVMContext::MD_loop, branch->getMetadata(llvm::LLVMContext::MD_loop));
    branch->eraseFromParent();
  }

  // If the first sub-group executes all iterations of its row, the step is the width.
  llvm::Value* next_after_all(llvm::IRBuilder<>& builder) {
    auto* index = llvm::cast<llvm::PHINode>(copy_of<llvm::Value>(shape_.index));
    auto* step = shape_.low_bits(builder, copy_of(shape_.step()));
    step = builder.CreateSelect(is_handed_over_, llvm::ConstantInt::get(step->getType(), width_),
                                step);
    // Bits above the low ones have no uses.
    const auto extended = [&](llvm::Value* value) {
      return builder.CreateIntCast(value, index->getType(), shape_.bound.is_signed);
    };
    auto* next = builder.CreateAdd(extended(line_), extended(step));
    index->setIncomingValueForBlock(copy_of(shape_.latch), next);
    return next;
  }

  template <class T>
  T* copy_of(T* value) {
    const auto found = copies_.find(value);
    return found == copies_.end() ? value : llvm::cast<T>(static_cast<llvm::Value*>(found->second));
  }

  // The remainder starts with the values after the unmasked loop, or with the initial ones if that
  // is skipped.
  void join() {
    llvm::IRBuilder<> builder(leave_);
    builder.SetCurrentDebugLocation(shape_.latch->getTerminator()->getDebugLoc());
    auto* condition = condition_;
    if (is_handed_over_ != nullptr) {
      condition = builder.CreateICmp(shape_.bound.predicate(), shape_.low_bits(builder, next_),
                                     shape_.bound.limit);
      if (!shape_.bound.is_met)
        condition = builder.CreateNot(condition);
    } else if (auto* made = llvm::dyn_cast<llvm::Instruction>(condition)) {
      condition = builder.Insert(made->clone());
    }
    if (shape_.bound.is_met)
      builder.CreateCondBr(condition, join_, shape_.exit);
    else
      builder.CreateCondBr(condition, shape_.exit, join_);
    for (auto& phi : shape_.exit->phis())
      phi.addIncoming(copy_of(phi.getIncomingValueForBlock(shape_.latch)), leave_);
    for (auto& phi : shape_.header->phis())
      phi.setIncomingValueForBlock(join_, start_of(phi));
  }

  llvm::Value* start_of(llvm::PHINode& phi) {
    llvm::IRBuilder<> builder(join_, join_->begin());
    auto* start = builder.CreatePHI(phi.getType(), 2, phi.getName() + ".left");
    start->addIncoming(phi.getIncomingValueForBlock(join_), apart_);
    start->addIncoming(
        &phi == shape_.index ? next_ : copy_of(phi.getIncomingValueForBlock(shape_.latch)), leave_);
    return start;
  }

  // Replaces the index, and what is computed from it, by an affine value that does not wrap around.
  void state_facts() {
    auto* index = llvm::cast<llvm::PHINode>(copy_of<llvm::Value>(shape_.index));
    llvm::IRBuilder<> builder(copy_of(shape_.header),
                              copy_of(shape_.header)->getFirstInsertionPt());
    builder.SetCurrentDebugLocation(shape_.latch->getTerminator()->getDebugLoc());
    const auto most = shape_.highest();
    const bool is_small =
        most && most->ule(llvm::APInt::getSignedMaxValue(shape_.bound.bits) - kLargestAdded);
    auto whole = shape_;
    whole.index = index;
    auto* low = shape_.low_bits(builder, index);
    auto* first = lane_0(builder, low);
    auto* line = line_ = line_from(builder, first, static_cast<std::int64_t>(shape_.stride),
                                   !shape_.bound.is_signed, shape_.bound.is_signed || is_small);
    if (index->getType() == line->getType()) {
      index->replaceUsesWithIf(line, [&](const llvm::Use& use) { return use.getUser() != first; });
      return;
    }
    llvm::Value* extended = nullptr; // to the phi's type
    const auto extend = [&] {
      if (extended == nullptr)
        extended = shape_.bound.is_signed ? builder.CreateSExt(line, index->getType())
                                          : builder.CreateZExt(line, index->getType());
      return extended;
    };
    for (auto* block : blocks_)
      for (auto& instruction : *block) {
        if (&instruction == low)
          continue;
        if (instruction.getType() == line->getType() && llvm::isa<llvm::TruncInst>(instruction) &&
            instruction.getOperand(0) == index) {
          instruction.replaceAllUsesWith(line);
          continue;
        }
        if (const auto added = whole.added_to_index(instruction)) {
          llvm::IRBuilder<> here(&instruction);
          auto* sum = added->isZero()
                          ? extend()
                          : here.CreateAdd(extend(), here.getInt(*added), "", true, true);
          instruction.replaceAllUsesWith(sum);
          continue;
        }
        if (instruction.getOpcode() != llvm::Instruction::AShr ||
            !(shape_.bound.is_signed || is_small))
          continue;
        // A sign extension times a power of two.
        const auto shortened = narrowed_value(instruction);
        if (!shortened || shortened->value != index || shortened->bits != shape_.bound.bits ||
            (shortened->added != 0 && !is_small) || shortened->added > kLargestAdded)
          continue;
        auto* sum = extend();
        llvm::IRBuilder<> here(&instruction);
        if (shortened->added != 0)
          sum =
              here.CreateAdd(sum, llvm::ConstantInt::getSigned(index->getType(), shortened->added));
        instruction.replaceAllUsesWith(here.CreateShl(sum, shortened->shift));
      }
  }

  llvm::Function& kernel_;
  const unsigned width_;
  const GroupStridedLoop& shape_;
  llvm::Value* is_handed_over_; // null: never

  llvm::ValueToValueMapTy copies_;
  llvm::SmallVector<llvm::BasicBlock*, 8> blocks_; // of the unmasked loop
  llvm::Value* condition_ = nullptr;
  llvm::Value* line_ = nullptr;       // the index's low bits in the unmasked loop
  llvm::Value* next_ = nullptr;       // the index of the next iteration
  llvm::BasicBlock* begin_ = nullptr; // ends with the check for all lanes
  llvm::BasicBlock* apart_ = nullptr; // the unmasked loop is skipped
  llvm::BasicBlock* join_ = nullptr;  // preheader of the remainder
  llvm::BasicBlock *enter_ = nullptr, *leave_ = nullptr;
};

// The remainder's initial values come from divergent edges: their phis are not known to be affine.
// If both incoming values have the same stride, the phi is replaced by one of lane 0's value.
void keep_lines(llvm::BasicBlock& join, const LaneShapes& shapes) {
  for (auto& phi : llvm::make_early_inc_range(join.phis())) {
    const auto* type = phi.getType();
    if (phi.getNumIncomingValues() != 2 || !(type->isIntegerTy() || type->isPointerTy()))
      continue;
    const auto stride = shapes.stride(*phi.getIncomingValue(0));
    if (!stride || *stride == 0 || shapes.stride(*phi.getIncomingValue(1)) != stride)
      continue;
    bool keeps_sign = true, keeps_none = true;
    llvm::IRBuilder<> builder(&phi);
    auto* first = builder.CreatePHI(phi.getType(), 2, phi.getName());
    for (unsigned i = 0; i < 2; ++i) {
      auto* value = phi.getIncomingValue(i);
      keeps_sign &= shapes.never_wraps(*value, true);
      keeps_none &= shapes.never_wraps(*value, false);
      builder.SetInsertPoint(phi.getIncomingBlock(i)->getTerminator());
      first->addIncoming(lane_0(builder, value), phi.getIncomingBlock(i));
    }
    builder.SetInsertPoint(&join, join.getFirstInsertionPt());
    builder.SetCurrentDebugLocation(join.getTerminator()->getDebugLoc());
    phi.replaceAllUsesWith(line_from(builder, first, *stride, keeps_none, keeps_sign));
    phi.eraseFromParent();
  }
}

llvm::BasicBlock* split_one(llvm::Function& kernel, const VectorPlan& plan,
                            llvm::SmallPtrSetImpl<llvm::BasicBlock*>& seen,
                            const RedistributedLoops& redistributed, UnmaskedLoops& made) {
  Analyses now(kernel, plan);
  for (auto* loop : now.loops.getLoopsInPreorder())
    if (seen.insert(loop->getHeader()).second)
      if (const auto shape = GroupStridedLoop::find(*loop, now.shapes))
        return WholeRounds(kernel, plan.width, *shape,
                           redistributed.loops.lookup(loop->getHeader()))
            .run(made);
  return nullptr;
}

} // namespace

static UnmaskedLoops peel_masked_remainder(llvm::Function& kernel, const VectorPlan& plan,
                                           const RedistributedLoops& redistributed) {
  UnmaskedLoops made;
  llvm::SmallPtrSet<llvm::BasicBlock*, 16> seen;
  while (kernel.getInstructionCount() <= kLargestKernel) {
    auto* join = split_one(kernel, plan, seen, redistributed, made);
    if (join == nullptr)
      break;
    close_loops(kernel);
    keep_lines(*join, Analyses(kernel, plan).shapes);
  }
  return made;
}

// All variants that are emitted after this have full sub-groups.
static void assume_whole_sub_groups(RedistributedLoops& redistributed) {
  for (auto* known : redistributed.has_whole) {
    known->replaceAllUsesWith(llvm::ConstantInt::getTrue(known->getContext()));
    known->eraseFromParent();
  }
  redistributed.has_whole.clear();
}

llvm::PreservedAnalyses PeelMaskedRemainderPass::run(llvm::Function& body,
                                                     llvm::FunctionAnalysisManager& /*analyses*/) {
  auto& kernel = compilation_.kernel_of(body);
  auto& plan = *kernel.plan;
  if (!plan.is_vectorized())
    return llvm::PreservedAnalyses::all();
  assume_whole_sub_groups(plan.redistributed);
  plan.unmasked_loops = peel_masked_remainder(body, body_plan(kernel), plan.redistributed);
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
