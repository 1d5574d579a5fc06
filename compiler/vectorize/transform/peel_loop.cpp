// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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
#include "compiler/vectorize/transform/peel_loop.h"

#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace heddle::compiler {
namespace {

// Limit of constants that are added to an index without overflow.
constexpr std::int64_t kMaxAddedConstant = 1 << 20;

class MaskedRemainderPeeler {
 public:
  MaskedRemainderPeeler(llvm::Function& kernel, unsigned width, const GroupStridedLoop& shape,
                        llvm::Value* is_redistributed)
      : kernel_(kernel), width_(width), shape_(shape), is_redistributed_(is_redistributed) {}

  // Returns the preheader of the remainder.
  llvm::BasicBlock* run(UnmaskedLoops& redistributed) {
    create_blocks();
    copy_loop();
    replace_index();
    rewrite_latch();
    rewrite_remainder();
    for (auto* block : shape_.loop->blocks())
      mark_as_remainder(*block);
    mark_as_remainder(*skip_block_);
    mark_as_remainder(*unmasked_exit_);
    if (is_redistributed_ != nullptr)
      redistributed.push_back({copy_of(shape_.header), shape_.first_limit, shape_.bound.is_signed});
    return remainder_preheader_;
  }

 private:
  static void mark_as_remainder(llvm::BasicBlock& block) {
    block.getTerminator()->setMetadata(kMaskedRemainder, llvm::MDNode::get(block.getContext(), {}));
  }

  llvm::ConstantInt* last_lane_offset() {
    return llvm::ConstantInt::get(llvm::IntegerType::get(kernel_.getContext(), shape_.bound.bits),
                                  shape_.stride * (width_ - 1));
  }

  // Emits whether the bound holds for all lanes.
  llvm::Value* emit_all_in_bound(llvm::IRBuilder<>& builder, llvm::Value* value,
                                 llvm::Value* limit) {
    auto* first = emit_lane_0(builder, shape_.low_bits(builder, value));
    auto* is_below = builder.CreateICmp(shape_.bound.predicate(), first,
                                        builder.CreateSub(limit, last_lane_offset()));
    // limit - last_lane_offset must not wrap around.
    auto* lowest = shape_.bound.is_signed
                       ? llvm::ConstantInt::get(last_lane_offset()->getType(),
                                                llvm::APInt::getSignedMinValue(shape_.bound.bits) +
                                                    last_lane_offset()->getValue())
                       : last_lane_offset();
    auto* has_room = builder.CreateICmp(shape_.bound.is_signed ? llvm::ICmpInst::ICMP_SGE
                                                               : llvm::ICmpInst::ICMP_UGE,
                                        limit, lowest);
    return builder.CreateAnd(has_room, is_below, "all_in_bound");
  }

  // --- The loops --------------------------------------------------------------------------------

  void create_blocks() {
    if (shape_.guard != nullptr) {
      for (auto& instruction : llvm::make_early_inc_range(
               llvm::make_range(shape_.preheader->begin(), std::prev(shape_.preheader->end()))))
        instruction.moveBefore(shape_.guard->getTerminator()->getIterator());
      check_block_ = shape_.guard;
      skip_block_ = llvm::SplitBlock(check_block_, check_block_->getTerminator());
      remainder_preheader_ = shape_.preheader;
    } else {
      check_block_ = shape_.preheader;
      skip_block_ = llvm::SplitBlock(check_block_, check_block_->getTerminator());
      remainder_preheader_ = llvm::SplitBlock(skip_block_, skip_block_->getTerminator());
    }
    skip_block_->setName("unmasked.skip");
    remainder_preheader_->setName("remainder");
  }

  void copy_loop() {
    auto& context = kernel_.getContext();
    for (auto* block : shape_.loop->blocks()) {
      blocks_.push_back(llvm::CloneBasicBlock(block, copies_, ".unmasked", &kernel_));
      copies_[block] = blocks_.back();
    }
    unmasked_preheader_ = llvm::BasicBlock::Create(context, "unmasked", &kernel_, skip_block_);
    unmasked_exit_ = llvm::BasicBlock::Create(context, "unmasked.exit", &kernel_, skip_block_);
    copies_[remainder_preheader_] = unmasked_preheader_;
    copies_[shape_.exit] = unmasked_exit_;
    llvm::remapInstructionsInBlocks(blocks_, copies_);
    for (auto* block : blocks_)
      block->moveBefore(unmasked_exit_);
    llvm::SmallVector<llvm::MDNode*, 4> scopes;
    llvm::identifyNoAliasScopesToClone(shape_.loop->getBlocks(), scopes);
    llvm::cloneAndAdaptNoAliasScopes(scopes, blocks_, context, "unmasked");

    llvm::IRBuilder<> builder(check_block_->getTerminator());
    builder.SetCurrentDebugLocation(shape_.latch->getTerminator()->getDebugLoc());
    auto* init = shape_.index->getIncomingValueForBlock(remainder_preheader_);
    if (is_redistributed_ != nullptr)
      init = emit_redistributed_init(builder, init);
    auto* unmasked = emit_all_in_bound(builder, init, shape_.first_limit);
    builder.CreateCondBr(unmasked, unmasked_preheader_, skip_block_);
    check_block_->getTerminator()->eraseFromParent();
    builder.SetInsertPoint(unmasked_preheader_);
    builder.CreateBr(copy_of(shape_.header));
  }

  // A redistributed loop starts at 0, which is the first sub-group's lowest id; with the constant
  // its trip count is often constant too.
  llvm::Value* emit_redistributed_init(llvm::IRBuilder<>& builder, llvm::Value* init) {
    auto* first = emit_lane_0(builder, init);
    first =
        builder.CreateSelect(is_redistributed_, llvm::ConstantInt::get(first->getType(), 0), first);
    auto* start = emit_affine(builder, first, static_cast<std::int64_t>(shape_.stride), true, true);
    llvm::cast<llvm::PHINode>(copy_of<llvm::Value>(shape_.index))
        ->setIncomingValueForBlock(unmasked_preheader_, start);
    return start;
  }

  void rewrite_latch() {
    auto* latch = copy_of(shape_.latch);
    auto* branch = llvm::cast<llvm::BranchInst>(latch->getTerminator());
    condition_ = branch->getCondition();
    llvm::IRBuilder<> builder(branch);
    next_ =
        is_redistributed_ != nullptr ? emit_redistributed_next(builder) : copy_of(shape_.next());
    auto* again = emit_all_in_bound(builder, next_, copy_of(shape_.bound.limit));
    auto* back = builder.CreateCondBr(again, copy_of(shape_.header), unmasked_exit_);
    back->setMetadata(llvm::LLVMContext::MD_loop, branch->getMetadata(llvm::LLVMContext::MD_loop));
    branch->eraseFromParent();
  }

  // If the first sub-group executes all iterations of its row, the step is the width.
  llvm::Value* emit_redistributed_next(llvm::IRBuilder<>& builder) {
    auto* index = llvm::cast<llvm::PHINode>(copy_of<llvm::Value>(shape_.index));
    auto* step = shape_.low_bits(builder, copy_of(shape_.step()));
    step = builder.CreateSelect(is_redistributed_, llvm::ConstantInt::get(step->getType(), width_),
                                step);
    // Bits above the low ones have no uses.
    const auto extended = [&](llvm::Value* value) {
      return builder.CreateIntCast(value, index->getType(), shape_.bound.is_signed);
    };
    auto* next = builder.CreateAdd(extended(low_index_), extended(step));
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
  void rewrite_remainder() {
    llvm::IRBuilder<> builder(unmasked_exit_);
    builder.SetCurrentDebugLocation(shape_.latch->getTerminator()->getDebugLoc());
    auto* condition = condition_;
    if (is_redistributed_ != nullptr) {
      condition = builder.CreateICmp(shape_.bound.predicate(), shape_.low_bits(builder, next_),
                                     shape_.bound.limit);
      if (!shape_.bound.is_true_in_bound)
        condition = builder.CreateNot(condition);
    } else if (auto* definition = llvm::dyn_cast<llvm::Instruction>(condition)) {
      condition = builder.Insert(definition->clone());
    }
    if (shape_.bound.is_true_in_bound)
      builder.CreateCondBr(condition, remainder_preheader_, shape_.exit);
    else
      builder.CreateCondBr(condition, shape_.exit, remainder_preheader_);
    for (auto& phi : shape_.exit->phis())
      phi.addIncoming(copy_of(phi.getIncomingValueForBlock(shape_.latch)), unmasked_exit_);
    for (auto& phi : shape_.header->phis())
      phi.setIncomingValueForBlock(remainder_preheader_, remainder_init(phi));
  }

  llvm::Value* remainder_init(llvm::PHINode& phi) {
    llvm::IRBuilder<> builder(remainder_preheader_, remainder_preheader_->begin());
    auto* start = builder.CreatePHI(phi.getType(), 2, phi.getName() + ".remainder");
    start->addIncoming(phi.getIncomingValueForBlock(remainder_preheader_), skip_block_);
    start->addIncoming(&phi == shape_.index ? next_
                                            : copy_of(phi.getIncomingValueForBlock(shape_.latch)),
                       unmasked_exit_);
    return start;
  }

  // Replaces the index, and what is computed from it, by an affine value that does not wrap around.
  void replace_index() {
    auto* index = llvm::cast<llvm::PHINode>(copy_of<llvm::Value>(shape_.index));
    llvm::IRBuilder<> builder(copy_of(shape_.header),
                              copy_of(shape_.header)->getFirstInsertionPt());
    builder.SetCurrentDebugLocation(shape_.latch->getTerminator()->getDebugLoc());
    const auto max = shape_.max_index();
    const bool is_small =
        max && max->ule(llvm::APInt::getSignedMaxValue(shape_.bound.bits) - kMaxAddedConstant);
    auto unmasked = shape_;
    unmasked.index = index;
    auto* low = shape_.low_bits(builder, index);
    auto* first = emit_lane_0(builder, low);
    auto* low_index = low_index_ =
        emit_affine(builder, first, static_cast<std::int64_t>(shape_.stride),
                    !shape_.bound.is_signed, shape_.bound.is_signed || is_small);
    if (index->getType() == low_index->getType()) {
      index->replaceUsesWithIf(low_index,
                               [&](const llvm::Use& use) { return use.getUser() != first; });
      return;
    }
    llvm::Value* extended = nullptr; // to the phi's type
    const auto extend = [&] {
      if (extended == nullptr)
        extended = shape_.bound.is_signed ? builder.CreateSExt(low_index, index->getType())
                                          : builder.CreateZExt(low_index, index->getType());
      return extended;
    };
    for (auto* block : blocks_)
      for (auto& instruction : *block) {
        if (&instruction == low)
          continue;
        if (instruction.getType() == low_index->getType() &&
            llvm::isa<llvm::TruncInst>(instruction) && instruction.getOperand(0) == index) {
          instruction.replaceAllUsesWith(low_index);
          continue;
        }
        if (const auto added = unmasked.added_to_index(instruction)) {
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
        const auto narrowed = narrowed_value(instruction);
        if (!narrowed || narrowed->value != index || narrowed->bits != shape_.bound.bits ||
            (narrowed->added != 0 && !is_small) || narrowed->added > kMaxAddedConstant)
          continue;
        auto* sum = extend();
        llvm::IRBuilder<> here(&instruction);
        if (narrowed->added != 0)
          sum =
              here.CreateAdd(sum, llvm::ConstantInt::getSigned(index->getType(), narrowed->added));
        instruction.replaceAllUsesWith(here.CreateShl(sum, narrowed->shift));
      }
  }

  llvm::Function& kernel_;
  const unsigned width_;
  const GroupStridedLoop& shape_;
  llvm::Value* is_redistributed_; // null: never

  llvm::ValueToValueMapTy copies_;
  llvm::SmallVector<llvm::BasicBlock*, 8> blocks_; // of the unmasked loop
  llvm::Value* condition_ = nullptr;
  llvm::Value* low_index_ = nullptr;                // the index's low bits in the unmasked loop
  llvm::Value* next_ = nullptr;                     // the index of the next iteration
  llvm::BasicBlock* check_block_ = nullptr;         // ends with the check for all lanes
  llvm::BasicBlock* skip_block_ = nullptr;          // the unmasked loop is skipped
  llvm::BasicBlock* remainder_preheader_ = nullptr; // preheader of the remainder
  llvm::BasicBlock *unmasked_preheader_ = nullptr, *unmasked_exit_ = nullptr;
};

} // namespace

llvm::BasicBlock* peel_loop(llvm::Function& kernel, unsigned width, const GroupStridedLoop& shape,
                            llvm::Value* is_redistributed, UnmaskedLoops& redistributed) {
  return MaskedRemainderPeeler(kernel, width, shape, is_redistributed).run(redistributed);
}

} // namespace heddle::compiler
