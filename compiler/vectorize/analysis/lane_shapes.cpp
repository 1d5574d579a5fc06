// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/analysis/lane_shapes.h"

#include "compiler/ir/subgroup_intrinsics.h"
#include "compiler/ir/work_item_params.h"
#include "compiler/vectorize/analysis/affine_id.h"
#include "compiler/vectorize/analysis/interleave_private_arrays.h"
#include "llvm/ADT/GenericUniformityImpl.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/TargetTransformInfoImpl.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

namespace heddle::compiler {
namespace {

// Limits of the constant and the factor of an id that is truncated, and so of the distance between
// its values in a group and that of the group's first work-item.
constexpr std::int64_t kMaxConstant = 1 << 20;
constexpr std::int64_t kMaxFactor = 1 << 16;
// No local id is larger, not even of an inactive lane.
constexpr std::int64_t kMaxLocalId = 1 << 13;
// Id bases that are checked at run time, once for each group (ir/id_wrap_check.h).
constexpr std::size_t kMaxIdBases = 4;

// Tells LLVM's uniformity analysis which values are sources of divergence.
class DivergenceSources : public llvm::TargetTransformInfoImplBase {
 public:
  DivergenceSources(const llvm::DataLayout& layout, llvm::SmallPtrSet<const llvm::Value*, 4> ids,
                    bool between_rows)
      : TargetTransformInfoImplBase(layout), ids_(std::move(ids)), between_rows_(between_rows) {}

  bool hasBranchDivergence(const llvm::Function*) const override { return true; }
  llvm::InstructionUniformity getInstructionUniformity(const llvm::Value* value) const override {
    if (const auto* call = llvm::dyn_cast<llvm::CallBase>(value))
      if (const auto function = subgroup_intrinsic(*call))
        return uniformity(*call, *function);
    // One reading of the clock is for all lanes.
    if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(value);
        intrinsic != nullptr && intrinsic->getIntrinsicID() == llvm::Intrinsic::readcyclecounter)
      return llvm::InstructionUniformity::AlwaysUniform;
    return is_source(*value) ? llvm::InstructionUniformity::NeverUniform
                             : llvm::InstructionUniformity::Default;
  }

 private:
  bool is_source(const llvm::Value& value) const {
    if (llvm::isa<llvm::Argument>(value))
      return ids_.contains(&value);
    if (llvm::isa<llvm::AllocaInst, llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(value))
      return true;
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&value))
      return load->isVolatile() || load->isAtomic();
    if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&value))
      return !call->getType()->isVoidTy() && !call->doesNotAccessMemory();
    return false;
  }

  llvm::InstructionUniformity uniformity(const llvm::CallBase& call,
                                         const SubgroupIntrinsic& function) const {
    if (between_rows_ && (function.kind == SubgroupIntrinsic::Kind::first ||
                          function.kind == SubgroupIntrinsic::Kind::id))
      return llvm::InstructionUniformity::Default;
    if (is_uniform(function))
      return llvm::InstructionUniformity::AlwaysUniform;
    if (function.kind != SubgroupIntrinsic::Kind::shuffle)
      return llvm::InstructionUniformity::NeverUniform;
    return llvm::isa<llvm::Constant>(call.getArgOperand(1))
               ? llvm::InstructionUniformity::AlwaysUniform
               : llvm::InstructionUniformity::Default;
  }

  llvm::SmallPtrSet<const llvm::Value*, 4> ids_;
  bool between_rows_; // divergence between rows, not between lanes
};

llvm::UniformityInfo compute_uniformity(llvm::Function& function, llvm::DominatorTree& dominators,
                                        llvm::CycleInfo& cycles,
                                        llvm::SmallPtrSet<const llvm::Value*, 4> ids,
                                        bool between_rows) {
  const llvm::TargetTransformInfo info(std::make_unique<DivergenceSources>(
      function.getParent()->getDataLayout(), std::move(ids), between_rows));
  llvm::UniformityInfo result(dominators, cycles, &info);
  result.compute();
  return result;
}

} // namespace

LaneShapes::LaneShapes(llvm::Function& function, const VectorPlan& plan,
                       llvm::DominatorTree& dominators, llvm::CycleInfo& cycles,
                       llvm::LoopInfo& loops)
    : loops_(loops), layout_(function.getParent()->getDataLayout()),
      params_(work_item_params(function)), may_add_id_bases_(!plan.exact_ids) {
  const auto& params = params_;
  llvm::SmallPtrSet<const llvm::Value*, 4> ids;
  if (plan.mapping == LaneMapping::row)
    ids.insert(params.local_id[0]);
  else
    ids.insert(std::begin(params.local_id), std::end(params.local_id));
  lanes_ = compute_uniformity(function, dominators, cycles, std::move(ids), false);
  if (plan.rows > 1)
    rows_ = compute_uniformity(function, dominators, cycles, {params.local_id[1]}, true);
  find_divergent_loops();
  if (plan.mapping == LaneMapping::row)
    affine_[params.local_id[0]] = Affine{1, true, true};
  find_affine_values(function);
  remove_unused_id_bases();
  likely_affine_[params.local_id[0]] = affine_.lookup(params.local_id[0]);
  finds_likely_ = true;
  find_affine_values(function);
  finds_likely_ = false;
}

bool LaneShapes::is_uniform(const llvm::Value& value) const {
  if (llvm::isa<llvm::Constant>(value) || llvm::isa<llvm::BasicBlock>(value))
    return true;
  if (!llvm::isa<llvm::Instruction, llvm::Argument>(value))
    return true; // metadata, inline assembly
  return !lanes_.isDivergent(&value);
}

std::optional<Stride> LaneShapes::stride(const llvm::Value& value) const {
  const auto affine = affine_of(value);
  return affine ? std::optional(affine->stride) : std::nullopt;
}

bool LaneShapes::never_wraps(const llvm::Value& value, bool is_signed) const {
  const auto affine = affine_of(value);
  return affine && affine->id_bases == 0 &&
         (is_signed ? affine->no_signed_wrap : affine->no_unsigned_wrap);
}

bool LaneShapes::differs_by_row(const llvm::Value& value) const {
  return rows_ && llvm::isa<llvm::Instruction, llvm::Argument>(value) && rows_->isDivergent(&value);
}

bool LaneShapes::has_divergent_branch(const llvm::BasicBlock& block) const {
  auto& lanes = const_cast<llvm::UniformityInfo&>(lanes_);
  return lanes.hasDivergentTerminator(block) ||
         (rows_ && const_cast<llvm::UniformityInfo&>(*rows_).hasDivergentTerminator(block));
}

std::optional<LaneShapes::Affine> LaneShapes::affine_of(const llvm::Value& value) const {
  if (is_uniform(value))
    return Affine{0, true, true};
  const auto& values = finds_likely_ ? likely_affine_ : affine_;
  const auto found = values.find(&value);
  return found == values.end() ? std::nullopt : found->second;
}

bool LaneShapes::extends_as_signed(const llvm::Instruction& extension) const {
  const auto affine = affine_of(*extension.getOperand(0));
  return llvm::isa<llvm::SExtInst>(extension) || !affine || !affine->no_unsigned_wrap;
}

void LaneShapes::find_divergent_loops() {
  llvm::SmallVector<llvm::BasicBlock*, 8> exiting;
  for (const auto* loop : loops_.getLoopsInPreorder()) {
    exiting.clear();
    loop->getExitingBlocks(exiting);
    if (llvm::any_of(exiting, [&](const auto* block) { return has_divergent_branch(*block); }))
      divergent_loops_.insert(loop);
  }
}

// Whether a divergent loop contains the value's definition, but not the block.
bool LaneShapes::leaves_divergent_loop(const llvm::Value& value,
                                       const llvm::BasicBlock& user_block) const {
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (instruction == nullptr)
    return false;
  for (const auto* loop = loops_.getLoopFor(instruction->getParent());
       loop != nullptr && !loop->contains(&user_block); loop = loop->getParentLoop())
    if (divergent_loops_.contains(loop))
      return true;
  return false;
}

std::optional<LaneShapes::Affine> LaneShapes::affine_phi(const llvm::PHINode& phi) const {
  if (phi.getNumIncomingValues() == 1 && !phi.getType()->isVectorTy() &&
      !leaves_divergent_loop(*phi.getIncomingValue(0), *phi.getParent()))
    return affine_of(*phi.getIncomingValue(0));
  const auto* loop = loops_.getLoopFor(phi.getParent());
  if (loop == nullptr || loop->getHeader() != phi.getParent() || phi.getType()->isVectorTy())
    return std::nullopt;
  // A phi in the header of a loop: all active lanes take its value from the same predecessor.
  std::optional<Affine> result;
  for (const auto& incoming : phi.incoming_values()) {
    if (!is_uniform(*incoming) &&
        !(finds_likely_ ? likely_affine_ : affine_).contains(incoming.get()))
      continue; // not visited yet
    const auto affine = affine_of(*incoming);
    if (!affine || (result && result->stride != affine->stride))
      return std::nullopt;
    if (result) {
      result->no_signed_wrap &= affine->no_signed_wrap;
      result->id_bases |= affine->id_bases;
    } else {
      result = affine;
    }
    // The exact value of lane 0 may be out of the type's range, and that of others in it.
    result->no_unsigned_wrap = false;
  }
  return result;
}

std::optional<LaneShapes::Affine>
LaneShapes::affine_address(const llvm::GetElementPtrInst& address) const {
  if (address.getType()->isVectorTy())
    return std::nullopt;
  auto affine = affine_of(*address.getPointerOperand());
  if (!affine)
    return std::nullopt;
  for (auto index_type = llvm::gep_type_begin(address), end = llvm::gep_type_end(address);
       index_type != end; ++index_type) {
    const auto index = affine_of(*index_type.getOperand());
    if (!index || (index_type.isStruct() && index->stride != 0))
      return std::nullopt;
    if (index->stride != 0)
      affine->stride +=
          index->stride *
          static_cast<Stride>(index_type.getSequentialElementStride(layout_).getFixedValue());
    // Narrower indices may wrap around; InstCombine extends indices to the size of pointers.
    if (index->stride != 0 && index_type.getOperand()->getType()->getScalarSizeInBits() < 64)
      return std::nullopt;
  }
  return Affine{affine->stride, true, true};
}

std::optional<LaneShapes::Affine> LaneShapes::affine_extension(const llvm::CastInst& cast) const {
  const auto affine = affine_of(*cast.getOperand(0));
  if (!affine)
    return std::nullopt;
  const bool is_signed = llvm::isa<llvm::SExtInst>(cast);
  const bool is_nonnegative = !is_signed && cast.hasNonNeg();
  const bool holds = is_signed
                         ? affine->no_signed_wrap
                         : affine->no_unsigned_wrap || (is_nonnegative && affine->no_signed_wrap);
  if (!holds)
    return std::nullopt;
  return Affine{affine->stride, true, !is_signed, affine->id_bases};
}

// The wrap flags, and the id bases that they depend on, of an id plus `added`, truncated to 32 bits
// or more. The stride is not set.
LaneShapes::Affine LaneShapes::narrowed_id(const llvm::Value& value, std::int64_t added) {
  constexpr Affine kUnknown{0, false, false};
  auto id = affine_id(value, params_);
  if (!id)
    return kUnknown;
  const auto constant = static_cast<std::int64_t>(static_cast<std::uint64_t>(id->constant) +
                                                  static_cast<std::uint64_t>(added));
  const auto is_small = [](std::int64_t number, std::int64_t largest) {
    return number <= largest && number >= -largest;
  };
  if (!is_small(id->constant, kMaxConstant) || !is_small(added, kMaxConstant) ||
      !is_small(constant, kMaxConstant) || !is_small(id->factor, kMaxFactor))
    return kUnknown;
  // Negative numbers wrap around if unsigned.
  Affine result{0, true, constant >= 0 && id->factor >= 0};
  if (id->start.empty())
    return result;
  if (!may_add_id_bases_)
    return kUnknown;
  const auto distance = id->factor * kMaxLocalId;
  const auto above = std::max<std::int64_t>(constant, 0) + std::max<std::int64_t>(distance, 0);
  const auto below = -std::min<std::int64_t>(constant, 0) - std::min<std::int64_t>(distance, 0);
  auto base =
      llvm::find_if(id_bases_, [&](const IdBase& other) { return other.start == id->start; });
  if (base == id_bases_.end()) {
    if (id_bases_.size() == kMaxIdBases)
      return kUnknown;
    id_bases_.push_back({std::move(id->start)});
    base = std::prev(id_bases_.end());
  }
  base->above = std::max(base->above, static_cast<std::uint64_t>(above));
  base->below = std::max(base->below, static_cast<std::uint64_t>(below));
  result.id_bases = static_cast<std::uint8_t>(1U << (base - id_bases_.begin()));
  return result;
}

// Truncated ids that are never extended again need no check.
void LaneShapes::remove_unused_id_bases() {
  unsigned used = 0;
  for (const auto& [value, affine] : affine_)
    if (affine && value->getType()->isIntegerTy(64))
      used |= affine->id_bases;
  std::vector<IdBase> kept;
  for (std::size_t i = 0; i < id_bases_.size(); ++i)
    if ((used >> i & 1) != 0)
      kept.push_back(std::move(id_bases_[i]));
  id_bases_ = std::move(kept);
  may_add_id_bases_ = false;
}

std::optional<LaneShapes::Affine> LaneShapes::compute_affine(const llvm::Instruction& instruction) {
  using Op = llvm::Instruction;
  if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction))
    return affine_phi(*phi);
  if (const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction))
    return affine_address(*address);
  if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
    return Affine{interleaved_stride(*variable).value_or(bytes_per_lane(*variable)), true, true};
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
    const auto function = subgroup_intrinsic(*call);
    return function && function->kind == SubgroupIntrinsic::Kind::id
               ? std::optional(Affine{1, true, true})
               : std::nullopt;
  }
  const auto* type = instruction.getType();
  if (const auto* cast = llvm::dyn_cast<llvm::AddrSpaceCastInst>(&instruction))
    return affine_of(*cast->getOperand(0));
  if (!type->isIntegerTy() || type->getIntegerBitWidth() > 64)
    return std::nullopt;
  // The result can be extended only if the lanes of the operands do not wrap around either.
  const auto combine = [&](Stride stride, const Affine& a, const Affine& b) {
    const auto bits = type->getIntegerBitWidth();
    const bool flags = llvm::isa<llvm::OverflowingBinaryOperator>(instruction);
    const auto reduced = llvm::SignExtend64(static_cast<std::uint64_t>(stride), bits);
    return Affine{
        reduced, flags && instruction.hasNoSignedWrap() && a.no_signed_wrap && b.no_signed_wrap,
        flags && instruction.hasNoUnsignedWrap() && a.no_unsigned_wrap && b.no_unsigned_wrap,
        static_cast<std::uint8_t>(a.id_bases | b.id_bases)};
  };
  switch (instruction.getOpcode()) {
  case Op::Add:
  case Op::Sub: {
    const auto a = affine_of(*instruction.getOperand(0));
    const auto b = affine_of(*instruction.getOperand(1));
    if (!a || !b)
      return std::nullopt;
    return combine(
        instruction.getOpcode() == Op::Add ? a->stride + b->stride : a->stride - b->stride, *a, *b);
  }
  case Op::Or: {
    if (!llvm::cast<llvm::PossiblyDisjointInst>(instruction).isDisjoint())
      return std::nullopt;
    const auto a = affine_of(*instruction.getOperand(0));
    const auto b = affine_of(*instruction.getOperand(1));
    if (!a || !b)
      return std::nullopt;
    return Affine{a->stride + b->stride, a->no_signed_wrap && b->no_signed_wrap,
                  a->no_unsigned_wrap && b->no_unsigned_wrap,
                  static_cast<std::uint8_t>(a->id_bases | b->id_bases)};
  }
  case Op::Mul:
  case Op::Shl: {
    const auto a = affine_of(*instruction.getOperand(0));
    const auto* factor = llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(1));
    if (!a || factor == nullptr || factor->getValue().getSignificantBits() > 32)
      return std::nullopt;
    const auto number = factor->getSExtValue();
    if (instruction.getOpcode() == Op::Mul)
      return combine(a->stride * number, *a, *a);
    return number < 32 ? std::optional(combine(a->stride * (Stride{1} << number), *a, *a))
                       : std::nullopt;
  }
  case Op::Trunc: {
    const auto a = affine_of(*instruction.getOperand(0));
    if (!a)
      return std::nullopt;
    const auto bits = type->getIntegerBitWidth();
    const auto& trunc = llvm::cast<llvm::TruncInst>(instruction);
    Affine id{0, false, false};
    if (bits >= 32 && !(trunc.hasNoSignedWrap() && trunc.hasNoUnsignedWrap()))
      id = narrowed_id(*instruction.getOperand(0), 0);
    return Affine{llvm::SignExtend64(static_cast<std::uint64_t>(a->stride), bits),
                  id.no_signed_wrap || trunc.hasNoSignedWrap(),
                  id.no_unsigned_wrap || trunc.hasNoUnsignedWrap(),
                  static_cast<std::uint8_t>(a->id_bases | id.id_bases)};
  }
  case Op::And:
  case Op::AShr:
  case Op::LShr:
    return affine_narrowed(instruction);
  case Op::SExt:
  case Op::ZExt:
    return affine_extension(llvm::cast<llvm::CastInst>(instruction));
  case Op::Freeze:
    return affine_of(*instruction.getOperand(0));
  default:
    return std::nullopt;
  }
}

std::optional<NarrowedValue> narrowed_value(const llvm::Instruction& instruction) {
  const auto* amount = llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(1));
  if (amount == nullptr || !instruction.getType()->isIntegerTy(64))
    return std::nullopt;
  NarrowedValue result;
  if (instruction.getOpcode() == llvm::Instruction::And) {
    result.bits = amount->getValue().countr_one();
    result.value = instruction.getOperand(0);
    return amount->getValue().isMask() ? std::optional(result) : std::nullopt;
  }
  const auto* left = llvm::dyn_cast<llvm::BinaryOperator>(instruction.getOperand(0));
  const llvm::ConstantInt* constant = nullptr;
  if (left != nullptr && left->getOpcode() == llvm::Instruction::Add) {
    constant = llvm::dyn_cast<llvm::ConstantInt>(left->getOperand(1));
    left = llvm::dyn_cast<llvm::BinaryOperator>(left->getOperand(0));
    if (constant == nullptr)
      return std::nullopt;
  }
  if (left == nullptr || left->getOpcode() != llvm::Instruction::Shl)
    return std::nullopt;
  const auto* by = llvm::dyn_cast<llvm::ConstantInt>(left->getOperand(1));
  if (by == nullptr || by->getValue().uge(64) || by->getValue().ult(amount->getValue()) ||
      (constant != nullptr && constant->getValue().countr_zero() < by->getZExtValue()))
    return std::nullopt;
  const auto distance = static_cast<unsigned>(by->getZExtValue());
  result.value = left->getOperand(0);
  result.bits = 64 - distance;
  result.shift = distance - static_cast<unsigned>(amount->getZExtValue());
  result.added = constant != nullptr ? constant->getSExtValue() >> distance : 0;
  return result;
}

std::optional<LaneShapes::Affine>
LaneShapes::affine_narrowed(const llvm::Instruction& instruction) {
  const auto narrowed = narrowed_value(instruction);
  if (!narrowed || narrowed->bits < 32 || narrowed->shift > 16)
    return std::nullopt;
  const auto affine = affine_of(*narrowed->value);
  if (!affine)
    return std::nullopt;
  const bool is_signed = instruction.getOpcode() == llvm::Instruction::AShr;
  const auto id = narrowed_id(*narrowed->value, narrowed->added);
  if (is_signed ? !id.no_signed_wrap : !id.no_unsigned_wrap)
    return std::nullopt;
  return Affine{affine->stride * (Stride{1} << narrowed->shift), true, !is_signed,
                static_cast<std::uint8_t>(affine->id_bases | id.id_bases)};
}

std::optional<Stride> LaneShapes::likely_stride(const llvm::Value& address) const {
  const auto found = likely_affine_.find(&address);
  return found == likely_affine_.end() || !found->second ? std::nullopt
                                                         : std::optional(found->second->stride);
}

// The affine form if no value wrapped around and min, max, select and masks had no effect.
std::optional<LaneShapes::Affine>
LaneShapes::likely_affine(const llvm::Instruction& instruction) const {
  using Op = llvm::Instruction;
  const auto same_as = [&](const llvm::Value& value) -> std::optional<Affine> {
    const auto affine = affine_of(value);
    return affine ? std::optional(Affine{affine->stride, true, true}) : std::nullopt;
  };
  const auto either = [&](const llvm::Value& a, const llvm::Value& b) -> std::optional<Affine> {
    const auto first = same_as(a);
    const auto second = same_as(b);
    if (!first || !second ||
        (first->stride != 0 && second->stride != 0 && first->stride != second->stride))
      return std::nullopt;
    return first->stride != 0 ? first : second;
  };
  if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) {
    switch (call->getIntrinsicID()) {
    case llvm::Intrinsic::smin:
    case llvm::Intrinsic::smax:
    case llvm::Intrinsic::umin:
    case llvm::Intrinsic::umax:
      return either(*call->getArgOperand(0), *call->getArgOperand(1));
    default:
      return std::nullopt;
    }
  }
  switch (instruction.getOpcode()) {
  case Op::Select:
    return either(*instruction.getOperand(1), *instruction.getOperand(2));
  case Op::And:
  case Op::Or:
  case Op::Xor:
    return either(*instruction.getOperand(0), *instruction.getOperand(1));
  case Op::SExt:
  case Op::ZExt:
  case Op::Trunc:
    return instruction.getOperand(0)->getType()->isIntegerTy() ? same_as(*instruction.getOperand(0))
                                                               : std::nullopt;
  case Op::AShr:
  case Op::LShr:
    if (const auto narrowed = narrowed_value(instruction))
      if (const auto affine = affine_of(*narrowed->value))
        return Affine{affine->stride * (Stride{1} << std::min(narrowed->shift, 16U)), true, true};
    return std::nullopt;
  default:
    return std::nullopt;
  }
}

// An optimistic data-flow analysis: values start as unknown; a stride may only be lost, not change.
void LaneShapes::find_affine_values(llvm::Function& function) {
  const llvm::ReversePostOrderTraversal<llvm::Function*> order(&function);
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto* block : order)
      for (const auto& instruction : *block) {
        if (instruction.getType()->isVoidTy() || is_uniform(instruction))
          continue;
        auto affine = compute_affine(instruction);
        if (!affine && finds_likely_)
          affine = likely_affine(instruction);
        const auto [entry, is_new] =
            (finds_likely_ ? likely_affine_ : affine_).try_emplace(&instruction, affine);
        if (is_new) {
          changed |= affine.has_value();
        } else if (entry->second != affine && entry->second) {
          // Monotonic: a lost stride stays lost, and flags are only cleared.
          if (affine && affine->stride != entry->second->stride)
            affine = std::nullopt;
          if (affine) {
            affine->no_signed_wrap &= entry->second->no_signed_wrap;
            affine->no_unsigned_wrap &= entry->second->no_unsigned_wrap;
            affine->id_bases |= entry->second->id_bases;
          }
          if (entry->second != affine) {
            entry->second = affine;
            changed = true;
          }
        }
      }
  }
}

} // namespace heddle::compiler
