// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The strides of LaneShapes: affine values, and in which groups they do not wrap around.
#include "compiler/ir/subgroup_intrinsics.h"
#include "compiler/vectorize/analysis/affine_id.h"
#include "compiler/vectorize/analysis/interleave_private_arrays.h"
#include "compiler/vectorize/analysis/lane_shapes.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Instructions.h"
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
constexpr std::size_t kMaxIdBases = 8;
constexpr unsigned kMaxOperations = 4;

void scale(AffineId& id, std::uint64_t factor) {
  for (auto& [terms, of_terms] : id.start)
    of_terms *= factor;
  id.factor = static_cast<std::int64_t>(static_cast<std::uint64_t>(id.factor) * factor);
  id.constant = static_cast<std::int64_t>(static_cast<std::uint64_t>(id.constant) * factor);
}

// What a value of 32 bits or more is truncated from, if operations with constants that follow a
// truncated id were done before: 4 * id of (int)id << 2.
std::optional<AffineId> affine_before_truncation(const llvm::Value& value,
                                                 const WorkItemParams& params, unsigned depth = 0) {
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (instruction == nullptr || depth == kMaxOperations)
    return std::nullopt;
  if (llvm::isa<llvm::TruncInst>(instruction))
    return affine_id(*instruction->getOperand(0), params);
  const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(instruction);
  if (operation == nullptr)
    return std::nullopt;
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(operation->getOperand(1));
  if (constant == nullptr || constant->getBitWidth() > 64)
    return std::nullopt;
  auto id = affine_before_truncation(*operation->getOperand(0), params, depth + 1);
  if (!id)
    return std::nullopt;
  const auto number = static_cast<std::uint64_t>(constant->getSExtValue());
  switch (operation->getOpcode()) {
  case llvm::Instruction::Mul:
    scale(*id, number);
    return id;
  case llvm::Instruction::Shl:
    if (number >= constant->getBitWidth())
      return std::nullopt;
    scale(*id, std::uint64_t{1} << number);
    return id;
  case llvm::Instruction::Or:
    if (!llvm::cast<llvm::PossiblyDisjointInst>(operation)->isDisjoint())
      return std::nullopt;
    [[fallthrough]];
  case llvm::Instruction::Add:
    id->constant = static_cast<std::int64_t>(static_cast<std::uint64_t>(id->constant) + number);
    return id;
  default:
    return std::nullopt;
  }
}
} // namespace

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
LaneShapes::Affine LaneShapes::narrowed_id(std::optional<AffineId> id, std::int64_t added) {
  constexpr Affine kUnknown{0, false, false};
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
  const auto distance = id->factor * kMaxLocalId;
  const auto above = std::max<std::int64_t>(constant, 0) + std::max<std::int64_t>(distance, 0);
  const auto below = -std::min<std::int64_t>(constant, 0) - std::min<std::int64_t>(distance, 0);
  if (id->start.empty() ||
      heddle::compiler::never_wraps(
          {id->start, static_cast<std::uint64_t>(above), static_cast<std::uint64_t>(below)},
          groups_of_small_ids_))
    return result;
  if (!may_add_id_bases_)
    return kUnknown;
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

// Adds what a check of the group tells of a sum or product.
void LaneShapes::add_flags(Affine& affine, const llvm::Instruction& operation) {
  if (operation.getType()->getIntegerBitWidth() < 32)
    return;
  const auto id = narrowed_id(affine_before_truncation(operation, params_), 0);
  affine.no_signed_wrap |= id.no_signed_wrap;
  affine.no_unsigned_wrap |= id.no_unsigned_wrap;
  affine.id_bases |= id.id_bases;
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
    Affine result{llvm::SignExtend64(static_cast<std::uint64_t>(stride), bits),
                  flags && instruction.hasNoSignedWrap() && a.no_signed_wrap && b.no_signed_wrap,
                  flags && instruction.hasNoUnsignedWrap() && a.no_unsigned_wrap &&
                      b.no_unsigned_wrap,
                  static_cast<std::uint8_t>(a.id_bases | b.id_bases)};
    if (bits < 64 && result.stride != 0 && !(result.no_signed_wrap && result.no_unsigned_wrap))
      add_flags(result, instruction);
    return result;
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
      id = narrowed_id(affine_id(*instruction.getOperand(0), params_), 0);
    return Affine{llvm::SignExtend64(static_cast<std::uint64_t>(a->stride), bits),
                  id.no_signed_wrap || trunc.hasNoSignedWrap(),
                  id.no_unsigned_wrap || trunc.hasNoUnsignedWrap(),
                  static_cast<std::uint8_t>(a->id_bases | id.id_bases)};
  }
  case Op::And:
    if (aligned_id_.keeps_lower_bits(instruction))
      return Affine{1, true, true};
    return affine_narrowed(instruction);
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
  const auto id = narrowed_id(affine_id(*narrowed->value, params_), narrowed->added);
  if (is_signed ? !id.no_signed_wrap : !id.no_unsigned_wrap)
    return std::nullopt;
  return Affine{affine->stride * (Stride{1} << narrowed->shift), true, !is_signed,
                static_cast<std::uint8_t>(affine->id_bases | id.id_bases)};
}
} // namespace heddle::compiler
