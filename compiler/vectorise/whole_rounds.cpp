//   before                          after
//   if (i < n)                      if (all lanes' i < n)
//     do                              do
//       BODY                            BODY, with i as lane 0's plus the lane's number
//       i += step                       i += step
//     while (i < n)                   while (all lanes' i < n)
//                                   if (i < n)
//                                     do BODY; i += step while (i < n)
//
// All lanes' i < n is lane 0's i < n - (width - 1) * stride, if that is not below zero.
#include "compiler/vectorise/whole_rounds.h"

#include "compiler/passes/lane_functions.h"
#include "compiler/vectorise/shapes.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace heddle::compiler {
namespace {

constexpr std::size_t kLargestLoop = 300; // instructions
constexpr std::size_t kLargestKernel = 4000;
constexpr Stride kLargestStride = 1 << 20;
// Constants that may be added to an index that is known to be small.
constexpr std::int64_t kLargestAdded = 1 << 20;

// That the low bits of `root`, as a number, are below the limit (or, inclusive, not above it).
struct Bound {
  llvm::Value* root = nullptr;
  unsigned bits = 0;
  llvm::Value* limit = nullptr; // of so many bits
  bool is_signed = false;
  bool is_inclusive = false;
  bool is_met = true; // what the condition is where that is so

  bool is_like(const Bound& other) const {
    return bits == other.bits && is_signed == other.is_signed && is_inclusive == other.is_inclusive;
  }
  llvm::ICmpInst::Predicate predicate() const {
    if (is_signed)
      return is_inclusive ? llvm::ICmpInst::ICMP_SLE : llvm::ICmpInst::ICMP_SLT;
    return is_inclusive ? llvm::ICmpInst::ICMP_ULE : llvm::ICmpInst::ICMP_ULT;
  }
};

llvm::Value* without_trunc(llvm::Value* value) {
  const auto* trunc = llvm::dyn_cast<llvm::TruncInst>(value);
  return trunc != nullptr ? trunc->getOperand(0) : value;
}

std::optional<Bound> bound_of(llvm::Value* condition, const Shapes& shapes) {
  const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(condition);
  if (compare == nullptr || !compare->getOperand(0)->getType()->isIntegerTy())
    return std::nullopt;
  auto predicate = compare->getPredicate();
  auto *index = compare->getOperand(0), *limit = compare->getOperand(1);
  if (shapes.is_uniform(*index)) {
    std::swap(index, limit);
    predicate = llvm::ICmpInst::getSwappedPredicate(predicate);
  }
  if (shapes.is_uniform(*index) || !shapes.is_uniform(*limit))
    return std::nullopt;
  Bound bound;
  const auto width = index->getType()->getIntegerBitWidth();
  if (compare->isEquality()) { // none of the bits from 2^k on
    const llvm::APInt* high = nullptr;
    if (!llvm::PatternMatch::match(limit, llvm::PatternMatch::m_Zero()) ||
        !llvm::PatternMatch::match(
            index, llvm::PatternMatch::m_And(llvm::PatternMatch::m_Value(bound.root),
                                             llvm::PatternMatch::m_APInt(high))))
      return std::nullopt;
    bound.bits = high->getActiveBits();
    if ((bound.bits != width && bound.bits != 32) || !high->isShiftedMask() || (*high)[0])
      return std::nullopt;
    bound.limit =
        llvm::ConstantInt::get(llvm::IntegerType::get(condition->getContext(), bound.bits),
                               llvm::APInt::getOneBitSet(bound.bits, high->countr_zero()));
    bound.is_met = predicate == llvm::ICmpInst::ICMP_EQ;
    return bound;
  }
  bound.is_met = llvm::ICmpInst::isLT(predicate) || llvm::ICmpInst::isLE(predicate);
  if (!bound.is_met)
    predicate = llvm::ICmpInst::getInversePredicate(predicate);
  bound.is_signed = llvm::ICmpInst::isSigned(predicate);
  bound.is_inclusive = llvm::ICmpInst::isLE(predicate);
  bound.limit = limit;
  bound.bits = width;
  bound.root = without_trunc(index);
  return bound.bits == 32 || bound.bits == 64 ? std::optional(bound) : std::nullopt;
}

llvm::Module& module_of(llvm::IRBuilder<>& builder) {
  return *builder.GetInsertBlock()->getModule();
}

llvm::Value* lane_0(llvm::IRBuilder<>& builder, llvm::Value* line) {
  auto* type = line->getType();
  const auto name = ("__heddle_lane_first_" + llvm::Twine(type->isPointerTy() ? "p" : "i") +
                     llvm::Twine(type->isPointerTy() ? type->getPointerAddressSpace()
                                                     : type->getIntegerBitWidth()))
                        .str();
  auto made =
      module_of(builder).getOrInsertFunction(name, llvm::FunctionType::get(type, {type}, false));
  auto* function = llvm::cast<llvm::Function>(made.getCallee());
  function->setDoesNotAccessMemory();
  function->setDoesNotThrow();
  function->setWillReturn();
  return builder.CreateCall(made, {line}, "first");
}

// Goes up from lane 0's value.
llvm::Value* line_from(llvm::IRBuilder<>& builder, llvm::Value* first, std::int64_t stride,
                       bool no_unsigned_wrap, bool no_signed_wrap) {
  auto id = module_of(builder).getOrInsertFunction(
      "__heddle_lane_id", llvm::FunctionType::get(builder.getInt32Ty(), false));
  llvm::cast<llvm::Function>(id.getCallee())->setDoesNotAccessMemory();
  const bool is_pointer = first->getType()->isPointerTy();
  auto* type = is_pointer ? builder.getInt64Ty() : first->getType();
  auto* lane = builder.CreateZExtOrTrunc(builder.CreateCall(id, {}, "lane"), type);
  if (stride != 1)
    lane = builder.CreateMul(lane, llvm::ConstantInt::getSigned(type, stride, true), "",
                             no_unsigned_wrap, no_signed_wrap);
  return is_pointer ? builder.CreateGEP(builder.getInt8Ty(), first, lane)
                    : builder.CreateAdd(first, lane, "line", no_unsigned_wrap, no_signed_wrap);
}

class WholeRounds {
 public:
  WholeRounds(llvm::Function& kernel, unsigned width, const Shapes& shapes, llvm::Loop& loop)
      : kernel_(kernel), width_(width), shapes_(shapes), loop_(loop) {}

  // The block before the rounds that are left; null: the loop stays as it is.
  llvm::BasicBlock* run() {
    if (!is_suitable() || !find_index())
      return nullptr;
    open();
    copy_loop();
    join();
    state_facts();
    for (auto* block : loop_.blocks())
      mark_as_rest(*block);
    mark_as_rest(*apart_);
    mark_as_rest(*leave_);
    return join_;
  }

 private:
  static void mark_as_rest(llvm::BasicBlock& block) {
    block.getTerminator()->setMetadata(kRestOfRounds, llvm::MDNode::get(block.getContext(), {}));
  }

  bool is_suitable() {
    header_ = loop_.getHeader();
    latch_ = loop_.getLoopLatch();
    preheader_ = loop_.getLoopPreheader();
    if (preheader_ == nullptr || latch_ == nullptr || loop_.getExitingBlock() != latch_ ||
        !shapes_.has_divergent_branch(*latch_))
      return false;
    exit_ = loop_.getExitBlock();
    std::size_t size = 0;
    for (const auto* block : loop_.blocks()) {
      size += block->size();
      for (const auto& instruction : *block)
        if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
            call != nullptr && (call->isConvergent() || call->cannotDuplicate()))
          return false;
    }
    return exit_ != nullptr && size <= kLargestLoop;
  }

  // The variable that the loop ends with.
  bool find_index() {
    auto* branch = llvm::dyn_cast<llvm::BranchInst>(latch_->getTerminator());
    if (branch == nullptr || !branch->isConditional())
      return false;
    const auto found = bound_of(branch->getCondition(), shapes_);
    if (!found || found->is_met != (branch->getSuccessor(0) == header_) ||
        shapes_.differs_by_row(*found->limit))
      return false;
    bound_ = *found;
    for (auto& phi : header_->phis()) {
      if (!phi.getType()->isIntegerTy() || shapes_.differs_by_row(phi))
        continue;
      const auto width = phi.getType()->getIntegerBitWidth();
      auto* next = phi.getIncomingValueForBlock(latch_);
      if (width < bound_.bits || (width == bound_.bits ? without_trunc(next) : next) != bound_.root)
        continue;
      index_ = &phi;
      return find_guard() && find_stride();
    }
    return false;
  }

  // The index goes up from lane to lane, by a step that rounds do not change.
  bool find_stride() {
    const auto stride = shapes_.stride(*index_->getIncomingValueForBlock(preheader_));
    if (!stride || *stride <= 0 || *stride > kLargestStride ||
        !follows_index(*index_->getIncomingValueForBlock(latch_), 0))
      return false;
    stride_ = static_cast<std::uint64_t>(*stride);
    return true;
  }

  // Whether the value's low bits, in rounds that meet the bound, are the index's plus something
  // that is the same in all lanes.
  bool follows_index(const llvm::Value& value, unsigned depth) const {
    using Op = llvm::Instruction;
    if (&value == index_)
      return true;
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    if (instruction == nullptr || depth > 8 || !loop_.contains(instruction))
      return false;
    const auto operand = [&](unsigned i) -> const llvm::Value& {
      return *instruction->getOperand(i);
    };
    const auto both = [&](unsigned own) {
      return shapes_.is_uniform(operand(1 - own)) && follows_index(operand(own), depth + 1);
    };
    switch (instruction->getOpcode()) {
    case Op::Add:
      return both(0) || both(1);
    case Op::Sub:
      return both(0);
    case Op::Trunc:
      return instruction->getType()->getIntegerBitWidth() >= bound_.bits &&
             follows_index(operand(0), depth + 1);
    case Op::ZExt:
    case Op::SExt:
      return operand(0).getType()->getIntegerBitWidth() >= bound_.bits &&
             follows_index(operand(0), depth + 1);
    case Op::And: {
      const auto* kept = llvm::dyn_cast<llvm::ConstantInt>(&operand(1));
      return keeps_index(*instruction, index_) ||
             (kept != nullptr && kept->getValue().countr_one() >= bound_.bits &&
              follows_index(operand(0), depth + 1));
    }
    case Op::AShr:
      if (const auto shortened = shortened_value(*instruction))
        return shortened->shift == 0 && shortened->bits >= bound_.bits &&
               follows_index(*shortened->value, depth + 1);
      return false;
    default:
      return false;
    }
  }

  // Of the index, as a number without a sign, all bits that it can have where it meets the bound.
  bool keeps_index(const llvm::Instruction& instruction, const llvm::Value* index) const {
    if (instruction.getOpcode() != llvm::Instruction::And || bound_.is_signed ||
        instruction.getOperand(0) != index)
      return false;
    const auto* kept = llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(1));
    if (kept == nullptr || !kept->getValue().isMask() ||
        kept->getValue().getActiveBits() > bound_.bits)
      return false;
    const auto bits = kept->getValue().getActiveBits();
    const auto most = highest();
    return bits == bound_.bits || (most && most->getActiveBits() <= bits);
  }

  static bool is_index_arithmetic(const llvm::Instruction& instruction) {
    return !llvm::isa<llvm::PHINode>(instruction) && !instruction.mayReadOrWriteMemory() &&
           llvm::isSafeToSpeculativelyExecute(&instruction);
  }

  // Where the first round stands under the same condition as the others, the whole rounds come
  // before that. Elsewhere they need a limit that is known before the loop.
  bool find_guard() {
    auto* init = index_->getIncomingValueForBlock(preheader_);
    if (auto* before = preheader_->getSinglePredecessor())
      if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(before->getTerminator());
          branch != nullptr && branch->isConditional() &&
          branch->getSuccessor(0) != branch->getSuccessor(1))
        if (const auto found = bound_of(branch->getCondition(), shapes_);
            found && found->is_like(bound_) && !shapes_.differs_by_row(*found->limit) &&
            found->is_met == (branch->getSuccessor(0) == preheader_)) {
          const bool is_narrowed = init->getType()->getIntegerBitWidth() == bound_.bits;
          auto* root = is_narrowed ? without_trunc(init) : init;
          const bool moves =
              std::all_of(preheader_->begin(), std::prev(preheader_->end()), is_index_arithmetic);
          if (found->root == root && moves) {
            guard_ = before;
            first_limit_ = found->limit;
            return true;
          }
        }
    first_limit_ = bound_.limit;
    return loop_.isLoopInvariant(first_limit_);
  }

  llvm::Value* low_bits(llvm::IRBuilder<>& builder, llvm::Value* value) {
    return builder.CreateTrunc(value, llvm::IntegerType::get(value->getContext(), bound_.bits));
  }

  llvm::ConstantInt* reach() {
    return llvm::ConstantInt::get(llvm::IntegerType::get(kernel_.getContext(), bound_.bits),
                                  stride_ * (width_ - 1));
  }

  // Whether the bound is met from lane 0 to the last one.
  llvm::Value* is_whole(llvm::IRBuilder<>& builder, llvm::Value* value, llvm::Value* limit) {
    auto* first = lane_0(builder, low_bits(builder, value));
    auto* is_below =
        builder.CreateICmp(bound_.predicate(), first, builder.CreateSub(limit, reach()));
    // From the lowest number on there must be room for a sub-group.
    auto* lowest = bound_.is_signed
                       ? llvm::ConstantInt::get(reach()->getType(),
                                                llvm::APInt::getSignedMinValue(bound_.bits) +
                                                    reach()->getValue())
                       : reach();
    auto* has_room = builder.CreateICmp(
        bound_.is_signed ? llvm::ICmpInst::ICMP_SGE : llvm::ICmpInst::ICMP_UGE, limit, lowest);
    return builder.CreateAnd(has_room, is_below, "is_whole");
  }

  // --- The loops --------------------------------------------------------------------------------

  void open() {
    if (guard_ != nullptr) {
      for (auto& instruction : llvm::make_early_inc_range(
               llvm::make_range(preheader_->begin(), std::prev(preheader_->end()))))
        instruction.moveBefore(guard_->getTerminator()->getIterator());
      begin_ = guard_;
      apart_ = llvm::SplitBlock(begin_, begin_->getTerminator());
      join_ = preheader_;
    } else {
      begin_ = preheader_;
      apart_ = llvm::SplitBlock(begin_, begin_->getTerminator());
      join_ = llvm::SplitBlock(apart_, apart_->getTerminator());
    }
    apart_->setName("rounds.apart");
    join_->setName("rounds.left");
  }

  void copy_loop() {
    auto& context = kernel_.getContext();
    for (auto* block : loop_.blocks()) {
      blocks_.push_back(llvm::CloneBasicBlock(block, copies_, ".whole", &kernel_));
      copies_[block] = blocks_.back();
    }
    enter_ = llvm::BasicBlock::Create(context, "whole", &kernel_, apart_);
    leave_ = llvm::BasicBlock::Create(context, "whole.done", &kernel_, apart_);
    copies_[join_] = enter_;
    copies_[exit_] = leave_;
    llvm::remapInstructionsInBlocks(blocks_, copies_);
    for (auto* block : blocks_)
      block->moveBefore(leave_);
    llvm::SmallVector<llvm::MDNode*, 4> scopes;
    llvm::identifyNoAliasScopesToClone(loop_.getBlocks(), scopes);
    llvm::cloneAndAdaptNoAliasScopes(scopes, blocks_, context, "whole");

    llvm::IRBuilder<> builder(begin_->getTerminator());
    builder.SetCurrentDebugLocation(latch_->getTerminator()->getDebugLoc());
    auto* init = index_->getIncomingValueForBlock(join_);
    auto* whole = is_whole(builder, init, first_limit_);
    builder.CreateCondBr(whole, enter_, apart_);
    begin_->getTerminator()->eraseFromParent();
    builder.SetInsertPoint(enter_);
    builder.CreateBr(copy_of(header_));

    auto* latch = copy_of(latch_);
    auto* branch = llvm::cast<llvm::BranchInst>(latch->getTerminator());
    condition_ = branch->getCondition();
    builder.SetInsertPoint(branch);
    auto* again =
        is_whole(builder, copy_of(index_->getIncomingValueForBlock(latch_)), copy_of(bound_.limit));
    auto* back = builder.CreateCondBr(again, copy_of(header_), leave_);
    back->setMetadata(llvm::LLVMContext::MD_loop, branch->getMetadata(llvm::LLVMContext::MD_loop));
    branch->eraseFromParent();
  }

  template <class T>
  T* copy_of(T* value) {
    const auto found = copies_.find(value);
    return found == copies_.end() ? value : llvm::cast<T>(static_cast<llvm::Value*>(found->second));
  }

  // The rounds that are left begin with what the whole ones come to, or with the first.
  void join() {
    llvm::IRBuilder<> builder(leave_);
    builder.SetCurrentDebugLocation(latch_->getTerminator()->getDebugLoc());
    auto* condition = condition_;
    if (auto* made = llvm::dyn_cast<llvm::Instruction>(condition))
      condition = builder.Insert(made->clone());
    if (bound_.is_met)
      builder.CreateCondBr(condition, join_, exit_);
    else
      builder.CreateCondBr(condition, exit_, join_);
    for (auto& phi : exit_->phis())
      phi.addIncoming(copy_of(phi.getIncomingValueForBlock(latch_)), leave_);
    for (auto& phi : header_->phis())
      phi.setIncomingValueForBlock(join_, start_of(phi));
  }

  llvm::Value* start_of(llvm::PHINode& phi) {
    llvm::IRBuilder<> builder(join_, join_->begin());
    auto* start = builder.CreatePHI(phi.getType(), 2, phi.getName() + ".left");
    start->addIncoming(phi.getIncomingValueForBlock(join_), apart_);
    start->addIncoming(copy_of(phi.getIncomingValueForBlock(latch_)), leave_);
    return start;
  }

  // --- What is known in whole rounds ------------------------------------------------------------

  // The largest number the index may be, if it is known and has no sign.
  std::optional<llvm::APInt> highest() const {
    const auto* first = llvm::dyn_cast<llvm::ConstantInt>(first_limit_);
    const auto* other = llvm::dyn_cast<llvm::ConstantInt>(bound_.limit);
    if (first == nullptr || other == nullptr || bound_.is_signed)
      return std::nullopt;
    auto limit = llvm::APIntOps::umax(first->getValue(), other->getValue());
    return bound_.is_inclusive || limit.isZero() ? limit : limit - 1;
  }

  void state_facts() {
    auto* index = llvm::cast<llvm::PHINode>(copy_of<llvm::Value>(index_));
    llvm::IRBuilder<> builder(copy_of(header_), copy_of(header_)->getFirstInsertionPt());
    builder.SetCurrentDebugLocation(latch_->getTerminator()->getDebugLoc());
    const auto most = highest();
    const bool is_small =
        most && most->ule(llvm::APInt::getSignedMaxValue(bound_.bits) - kLargestAdded);
    auto* low = low_bits(builder, index);
    auto* first = lane_0(builder, low);
    auto* line = line_from(builder, first, static_cast<std::int64_t>(stride_), !bound_.is_signed,
                           bound_.is_signed || is_small);
    if (index->getType() == line->getType()) {
      index->replaceUsesWithIf(line, [&](const llvm::Use& use) { return use.getUser() != first; });
      return;
    }
    llvm::Value* extended = nullptr; // to the phi's type
    const auto extend = [&] {
      if (extended == nullptr)
        extended = bound_.is_signed ? builder.CreateSExt(line, index->getType())
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
        if (keeps_index(instruction, index)) {
          instruction.replaceAllUsesWith(extend());
          continue;
        }
        if (instruction.getOpcode() != llvm::Instruction::AShr || !(bound_.is_signed || is_small))
          continue;
        // The sign extension, times a power of two.
        const auto shortened = shortened_value(instruction);
        if (!shortened || shortened->value != index || shortened->bits != bound_.bits ||
            (shortened->added != 0 && !is_small) || shortened->added > kLargestAdded)
          continue;
        builder.SetInsertPoint(&instruction);
        auto* sum = builder.CreateAdd(
            extend(), llvm::ConstantInt::getSigned(index->getType(), shortened->added));
        instruction.replaceAllUsesWith(builder.CreateShl(sum, shortened->shift));
        builder.SetInsertPoint(copy_of(header_),
                               std::next(llvm::cast<llvm::Instruction>(extended)->getIterator()));
      }
  }

  llvm::Function& kernel_;
  const unsigned width_;
  const Shapes& shapes_;
  llvm::Loop& loop_;
  llvm::BasicBlock *header_ = nullptr, *latch_ = nullptr, *preheader_ = nullptr, *exit_ = nullptr;
  Bound bound_;
  llvm::PHINode* index_ = nullptr;
  std::uint64_t stride_ = 0;
  llvm::BasicBlock* guard_ = nullptr; // null: the first round is run in any case
  llvm::Value* first_limit_ = nullptr;

  llvm::ValueToValueMapTy copies_;
  llvm::SmallVector<llvm::BasicBlock*, 8> blocks_; // of the loop for whole rounds
  llvm::Value* condition_ = nullptr;
  llvm::BasicBlock* begin_ = nullptr; // where it is decided
  llvm::BasicBlock* apart_ = nullptr; // where no round is whole
  llvm::BasicBlock* join_ = nullptr;  // before the rounds that are left
  llvm::BasicBlock *enter_ = nullptr, *leave_ = nullptr;
};

} // namespace

namespace {

// What the rounds that are left begin with has a fixed step from lane to lane if both values have
// that it may come from: those of the first round and those behind the whole ones.
void keep_lines(llvm::BasicBlock& join, const Shapes& shapes) {
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

// Of a kernel as it is.
struct Analyses {
  Analyses(llvm::Function& kernel, const VectorPlan& plan)
      : dominators(kernel), loops(dominators), cycles(cycles_of(kernel)),
        shapes(kernel, plan, dominators, cycles, loops) {}
  static llvm::CycleInfo cycles_of(llvm::Function& kernel) {
    llvm::CycleInfo cycles;
    cycles.compute(kernel);
    return cycles;
  }
  llvm::DominatorTree dominators;
  llvm::LoopInfo loops;
  llvm::CycleInfo cycles;
  Shapes shapes;
};

llvm::BasicBlock* split_one(llvm::Function& kernel, const VectorPlan& plan,
                            llvm::SmallPtrSetImpl<llvm::BasicBlock*>& seen) {
  Analyses now(kernel, plan);
  for (auto* loop : now.loops.getLoopsInPreorder())
    if (seen.insert(loop->getHeader()).second)
      if (auto* join = WholeRounds(kernel, plan.width, now.shapes, *loop).run())
        return join;
  return nullptr;
}

void close_loops(llvm::Function& kernel) {
  llvm::DominatorTree dominators(kernel);
  llvm::LoopInfo loops(dominators);
  llvm::AssumptionCache assumptions(kernel);
  for (auto* loop : loops)
    llvm::simplifyLoop(loop, &dominators, &loops, nullptr, &assumptions, nullptr, false);
  for (auto* loop : loops)
    llvm::formLCSSARecursively(*loop, dominators, &loops, nullptr);
}

} // namespace

void split_off_whole_rounds(llvm::Function& kernel, unsigned width) {
  VectorPlan plan;
  plan.width = width;
  plan.rows = 2; // to see what depends on y
  llvm::SmallPtrSet<llvm::BasicBlock*, 16> seen;
  while (kernel.getInstructionCount() <= kLargestKernel) {
    auto* join = split_one(kernel, plan, seen);
    if (join == nullptr)
      return;
    close_loops(kernel);
    keep_lines(*join, Analyses(kernel, plan).shapes);
  }
}

} // namespace heddle::compiler
