// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/analysis/group_strided_loop.h"

#include "compiler/vectorize/analysis/uniform_bound.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace heddle::compiler {

using namespace llvm::PatternMatch;

namespace {

constexpr std::size_t kMaxInstructions = 300;
constexpr Stride kMaxStride = 1 << 20;

// (root & high) == 0: root < 2^k. The bits may be the same in all lanes (AlignedId).
std::optional<Bound> match_clear_bits(llvm::Value* condition, const LaneShapes& shapes) {
  Bound bound;
  llvm::CmpPredicate predicate;
  const llvm::APInt* high = nullptr;
  if (!match(condition, m_ICmp(predicate, m_And(m_Value(bound.root), m_APInt(high)), m_Zero())) ||
      !llvm::ICmpInst::isEquality(predicate) || shapes.is_uniform(*bound.root) ||
      !high->isShiftedMask() || (*high)[0])
    return std::nullopt;
  bound.bits = high->getActiveBits();
  if (bound.bits < 32 || (bound.bits != high->getBitWidth() && bound.bits != 32))
    return std::nullopt;
  bound.limit = llvm::ConstantInt::get(llvm::IntegerType::get(condition->getContext(), bound.bits),
                                       llvm::APInt::getOneBitSet(bound.bits, high->countr_zero()));
  bound.is_true_in_bound = predicate == llvm::ICmpInst::ICMP_EQ;
  return bound;
}

std::optional<Bound> match_bound(llvm::Value* condition, const LaneShapes& shapes) {
  if (const auto clear_bits = match_clear_bits(condition, shapes))
    return clear_bits;
  const auto found = UniformBound::find(*condition, true, shapes);
  if (!found || llvm::ICmpInst::isEquality(found->predicate))
    return std::nullopt;
  Bound bound;
  bound.bits = found->number->getType()->getIntegerBitWidth();
  bound.is_true_in_bound = found->is_below();
  const auto predicate = bound.is_true_in_bound
                             ? found->predicate
                             : llvm::ICmpInst::getInversePredicate(found->predicate);
  bound.is_signed = llvm::ICmpInst::isSigned(predicate);
  bound.is_inclusive = llvm::ICmpInst::isLE(predicate);
  bound.limit = found->limit;
  bound.root = strip_trunc(found->number);
  return bound;
}

bool is_index_arithmetic(const llvm::Instruction& instruction) {
  return !llvm::isa<llvm::PHINode>(instruction) && !instruction.mayReadOrWriteMemory() &&
         llvm::isSafeToSpeculativelyExecute(&instruction);
}

llvm::Module& module_of(llvm::IRBuilder<>& builder) {
  return *builder.GetInsertBlock()->getModule();
}

} // namespace

llvm::Value* strip_trunc(llvm::Value* value) {
  const auto* trunc = llvm::dyn_cast<llvm::TruncInst>(value);
  return trunc != nullptr ? trunc->getOperand(0) : value;
}

llvm::Value* emit_lane_0(llvm::IRBuilder<>& builder, llvm::Value* affine) {
  auto* type = affine->getType();
  const auto name = ("__heddle_sub_group_first_" + llvm::Twine(type->isPointerTy() ? "p" : "i") +
                     llvm::Twine(type->isPointerTy() ? type->getPointerAddressSpace()
                                                     : type->getIntegerBitWidth()))
                        .str();
  auto callee =
      module_of(builder).getOrInsertFunction(name, llvm::FunctionType::get(type, {type}, false));
  auto* function = llvm::cast<llvm::Function>(callee.getCallee());
  function->setDoesNotAccessMemory();
  function->setDoesNotThrow();
  function->setWillReturn();
  return builder.CreateCall(callee, {affine}, "first");
}

llvm::Value* emit_affine(llvm::IRBuilder<>& builder, llvm::Value* first, std::int64_t stride,
                         bool no_unsigned_wrap, bool no_signed_wrap) {
  auto id = module_of(builder).getOrInsertFunction(
      "__heddle_sub_group_local_id", llvm::FunctionType::get(builder.getInt32Ty(), false));
  llvm::cast<llvm::Function>(id.getCallee())->setDoesNotAccessMemory();
  const bool is_pointer = first->getType()->isPointerTy();
  auto* type = is_pointer ? builder.getInt64Ty() : first->getType();
  auto* lane = builder.CreateZExtOrTrunc(builder.CreateCall(id, {}, "lane"), type);
  if (stride != 1)
    lane = builder.CreateMul(lane, llvm::ConstantInt::getSigned(type, stride, true), "",
                             no_unsigned_wrap, no_signed_wrap);
  return is_pointer ? builder.CreateGEP(builder.getInt8Ty(), first, lane)
                    : builder.CreateAdd(first, lane, "affine", no_unsigned_wrap, no_signed_wrap);
}

void form_lcssa(llvm::Function& kernel) {
  llvm::DominatorTree dominators(kernel);
  llvm::LoopInfo loops(dominators);
  llvm::AssumptionCache assumptions(kernel);
  for (auto* loop : loops)
    llvm::simplifyLoop(loop, &dominators, &loops, nullptr, &assumptions, nullptr, false);
  for (auto* loop : loops)
    llvm::formLCSSARecursively(*loop, dominators, &loops, nullptr);
}

std::optional<GroupStridedLoop> GroupStridedLoop::find(llvm::Loop& loop, const LaneShapes& shapes) {
  GroupStridedLoop found;
  found.loop = &loop;
  return found.is_suitable(shapes) && found.find_index(shapes) ? std::optional(found)
                                                               : std::nullopt;
}

bool GroupStridedLoop::is_suitable(const LaneShapes& shapes) {
  header = loop->getHeader();
  latch = loop->getLoopLatch();
  preheader = loop->getLoopPreheader();
  if (preheader == nullptr || latch == nullptr || loop->getExitingBlock() != latch ||
      !shapes.has_divergent_branch(*latch))
    return false;
  exit = loop->getExitBlock();
  std::size_t size = 0;
  for (const auto* block : loop->blocks()) {
    size += block->size();
    for (const auto& instruction : *block)
      if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
          call != nullptr && (call->isConvergent() || call->cannotDuplicate()))
        return false;
  }
  return exit != nullptr && size <= kMaxInstructions;
}

// Finds the phi that the loop's exit condition bounds.
bool GroupStridedLoop::find_index(const LaneShapes& shapes) {
  auto* branch = llvm::dyn_cast<llvm::BranchInst>(latch->getTerminator());
  if (branch == nullptr || !branch->isConditional())
    return false;
  const auto found = match_bound(branch->getCondition(), shapes);
  if (!found || found->is_true_in_bound != (branch->getSuccessor(0) == header) ||
      shapes.differs_by_row(*found->limit))
    return false;
  bound = *found;
  for (auto& phi : header->phis()) {
    if (!phi.getType()->isIntegerTy() || shapes.differs_by_row(phi))
      continue;
    const auto width = phi.getType()->getIntegerBitWidth();
    auto* next = phi.getIncomingValueForBlock(latch);
    if (width < bound.bits || (width == bound.bits ? strip_trunc(next) : next) != bound.root)
      continue;
    index = &phi;
    return find_guard(shapes) && find_stride(shapes);
  }
  return false;
}

// The index increases from lane to lane, by a stride that is the same in all iterations.
bool GroupStridedLoop::find_stride(const LaneShapes& shapes) {
  const auto found = shapes.stride(*init());
  if (!found || *found <= 0 || *found > kMaxStride || !follows_index(*next(), shapes, 0))
    return false;
  stride = static_cast<std::uint64_t>(*found);
  return true;
}

// Whether, in iterations in which the bound holds, the value's low bits are the index's plus a
// uniform value.
bool GroupStridedLoop::follows_index(const llvm::Value& value, const LaneShapes& shapes,
                                     unsigned depth) const {
  using Op = llvm::Instruction;
  if (&value == index)
    return true;
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (instruction == nullptr || depth > 8 || !loop->contains(instruction))
    return false;
  const auto operand = [&](unsigned i) -> const llvm::Value& {
    return *instruction->getOperand(i);
  };
  const auto is_offset_index = [&](unsigned index_operand) {
    return shapes.is_uniform(operand(1 - index_operand)) &&
           follows_index(operand(index_operand), shapes, depth + 1);
  };
  switch (instruction->getOpcode()) {
  case Op::Add:
    return is_offset_index(0) || is_offset_index(1);
  case Op::Sub:
    return is_offset_index(0);
  case Op::Trunc:
    return instruction->getType()->getIntegerBitWidth() >= bound.bits &&
           follows_index(operand(0), shapes, depth + 1);
  case Op::ZExt:
  case Op::SExt:
    return operand(0).getType()->getIntegerBitWidth() >= bound.bits &&
           follows_index(operand(0), shapes, depth + 1);
  case Op::And: {
    const auto* mask = llvm::dyn_cast<llvm::ConstantInt>(&operand(1));
    return preserves_index(*instruction, index) ||
           (mask != nullptr && mask->getValue().countr_one() >= bound.bits &&
            follows_index(operand(0), shapes, depth + 1));
  }
  case Op::AShr:
    if (const auto narrowed = narrowed_value(*instruction))
      return narrowed->shift == 0 && narrowed->bits >= bound.bits &&
             follows_index(*narrowed->value, shapes, depth + 1);
    return false;
  default:
    return false;
  }
}

bool GroupStridedLoop::preserves_index(const llvm::Instruction& instruction,
                                       const llvm::Value* of) const {
  if (instruction.getOpcode() != llvm::Instruction::And || bound.is_signed ||
      instruction.getOperand(0) != of)
    return false;
  const auto* mask = llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(1));
  if (mask == nullptr || !mask->getValue().isMask() ||
      mask->getValue().getActiveBits() > bound.bits)
    return false;
  const auto bits = mask->getValue().getActiveBits();
  const auto max = max_index();
  return bits == bound.bits || (max && max->getActiveBits() <= bits);
}

std::optional<llvm::APInt>
GroupStridedLoop::added_to_index(const llvm::Instruction& instruction) const {
  const auto bits = instruction.getType()->getScalarSizeInBits();
  if (preserves_index(instruction, index))
    return llvm::APInt::getZero(bits);
  const auto max = max_index();
  const llvm::APInt *added = nullptr, *mask = nullptr;
  if (!max ||
      !match(&instruction, m_And(m_Add(m_Specific(index), m_APInt(added)), m_APInt(mask))) ||
      !mask->isMask() || added->isNegative())
    return std::nullopt;
  bool overflows = false;
  const auto largest = max->zextOrTrunc(bits).uadd_ov(*added, overflows);
  return overflows || max->getActiveBits() > bits || largest.ugt(*mask) ? std::nullopt
                                                                        : std::optional(*added);
}

// If a condition like the latch's guards the first iteration, the unmasked loop is inserted before
// that guard. Otherwise the limit must be loop-invariant.
bool GroupStridedLoop::find_guard(const LaneShapes& shapes) {
  auto* init = this->init();
  if (auto* predecessor = preheader->getSinglePredecessor())
    if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(predecessor->getTerminator());
        branch != nullptr && branch->isConditional() &&
        branch->getSuccessor(0) != branch->getSuccessor(1))
      if (const auto found = match_bound(branch->getCondition(), shapes);
          found && found->has_same_predicate(bound) && !shapes.differs_by_row(*found->limit) &&
          found->is_true_in_bound == (branch->getSuccessor(0) == preheader)) {
        const bool is_narrowed = init->getType()->getIntegerBitWidth() == bound.bits;
        auto* root = is_narrowed ? strip_trunc(init) : init;
        const bool moves =
            std::all_of(preheader->begin(), std::prev(preheader->end()), is_index_arithmetic);
        if (found->root == root && moves) {
          guard = predecessor;
          first_limit = found->limit;
          return true;
        }
      }
  first_limit = bound.limit;
  return loop->isLoopInvariant(first_limit);
}

std::optional<llvm::APInt> GroupStridedLoop::max_index() const {
  const auto* first = llvm::dyn_cast<llvm::ConstantInt>(first_limit);
  const auto* other = llvm::dyn_cast<llvm::ConstantInt>(bound.limit);
  if (first == nullptr || other == nullptr || bound.is_signed)
    return std::nullopt;
  auto limit = llvm::APIntOps::umax(first->getValue(), other->getValue());
  return bound.is_inclusive || limit.isZero() ? limit : limit - 1;
}

llvm::Value* GroupStridedLoop::low_bits(llvm::IRBuilder<>& builder, llvm::Value* value) const {
  return builder.CreateTrunc(value, llvm::IntegerType::get(value->getContext(), bound.bits));
}

llvm::Value* GroupStridedLoop::step() const {
  auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(strip_trunc(next()));
  if (sum == nullptr || sum->getOpcode() != llvm::Instruction::Add)
    return nullptr;
  const auto is_index = [&](llvm::Value* value) {
    if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(value))
      value = cast->getOperand(0);
    if (value == index)
      return true;
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (instruction == nullptr || preserves_index(*instruction, index))
      return instruction != nullptr;
    const auto narrowed = instruction->getOpcode() == llvm::Instruction::AShr
                              ? narrowed_value(*instruction)
                              : std::nullopt;
    return narrowed && narrowed->value == index && narrowed->bits >= bound.bits &&
           narrowed->shift == 0 && narrowed->added == 0;
  };
  if (is_index(sum->getOperand(0)))
    return sum->getOperand(1);
  return is_index(sum->getOperand(1)) ? sum->getOperand(0) : nullptr;
}

} // namespace heddle::compiler
