// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/emit/emit_lane_addresses.h"

namespace heddle::compiler {
namespace {

constexpr unsigned kMaxAddressDepth = 4; // of rematerialized expressions

} // namespace

// Whether a lane of the value is computed from lanes of its operands, which are narrower: a
// register holds more indices than addresses, and addressing modes do the additions.
bool LaneAddressEmitter::is_rematerialized(const llvm::Value& value, unsigned depth) {
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  return instruction != nullptr && depth < kMaxAddressDepth &&
         values_.find(value)->kind != VectorValue::Kind::affine &&
         (llvm::isa<llvm::GetElementPtrInst, llvm::ZExtInst, llvm::SExtInst>(instruction) ||
          (llvm::isa<llvm::BinaryOperator>(instruction) &&
           llvm::isa<llvm::ConstantInt>(instruction->getOperand(1)) &&
           (instruction->getOpcode() == llvm::Instruction::Add ||
            instruction->getOpcode() == llvm::Instruction::Shl))) &&
         !value.getType()->isVectorTy() &&
         !instruction->getOperand(0)->getType()->getScalarType()->isIntegerTy(1);
}

// One lane's value of an address, or of an operand of one, by arithmetic on scalars. `lane`: its
// number, if it is a constant.
llvm::Value* LaneAddressEmitter::rematerialize(const llvm::Value& value, unsigned row,
                                               std::optional<unsigned> lane, LaneValue lane_value,
                                               unsigned depth) {
  auto* found = values_.find(value);
  if (found == nullptr)
    return const_cast<llvm::Value*>(&value);
  if (found->kind == VectorValue::Kind::uniform)
    return found->at(row);
  if (!is_rematerialized(value, depth))
    return lane_value(value);
  const auto& instruction = llvm::cast<llvm::Instruction>(value);
  if (lane && llvm::isa<llvm::ZExtInst>(instruction))
    if (auto* index = zext_lane_from_i64(*instruction.getOperand(0), row, *lane, value.getType()))
      return index;
  const auto of_operand = [&](const llvm::Value& operand) {
    return rematerialize(operand, row, lane, lane_value, depth + 1);
  };
  if (const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction); lane && address)
    if (auto* distance = sext_offset_from_i64(*address, row, *lane))
      return builder_.CreateGEP(builder_.getInt8Ty(), of_operand(*address->getPointerOperand()),
                                distance);
  auto* made = instruction.clone();
  for (auto& operand : made->operands())
    operand.set(of_operand(*operand.get()));
  return builder_.Insert(made);
}

llvm::Value* LaneAddressEmitter::lane_address(const llvm::Value& address, unsigned row,
                                              unsigned lane) {
  const auto extract = [&](const llvm::Value& operand) {
    return builder_.CreateExtractElement(lanes(operand, row), lane);
  };
  return rematerialize(address, row, lane, extract, 0);
}

void LaneAddressEmitter::find_narrow_operands(const llvm::Value& value, unsigned depth,
                                              llvm::SmallVectorImpl<const llvm::Value*>& operands) {
  auto* found = values_.find(value);
  if (found == nullptr || found->kind == VectorValue::Kind::uniform)
    return;
  if (!is_rematerialized(value, depth)) {
    if (!llvm::is_contained(operands, &value))
      operands.push_back(&value);
    return;
  }
  for (const auto& operand : llvm::cast<llvm::Instruction>(value).operands())
    find_narrow_operands(*operand.get(), depth + 1, operands);
}

llvm::SmallVector<const llvm::Value*, 2>
LaneAddressEmitter::narrow_operands(const llvm::Value& address) {
  llvm::SmallVector<const llvm::Value*, 2> operands;
  find_narrow_operands(address, 0, operands);
  std::uint64_t bytes = 0;
  for (const auto* operand : operands)
    bytes += layout_.getTypeAllocSize(operand->getType());
  if (bytes >= layout_.getPointerSize())
    return {&address};
  return operands;
}

llvm::SmallVector<llvm::Value*, 64> LaneAddressEmitter::lane_addresses(const llvm::Value& address,
                                                                       unsigned row) {
  llvm::SmallVector<llvm::Value*, 64> result;
  const auto stride = shapes_.stride(address);
  for (unsigned lane = 0; lane < plan_.width; ++lane)
    result.push_back(stride ? offset_address(scalar(address, row), *stride * lane)
                            : lane_address(address, row, lane));
  return result;
}

// The i64 of a vector that contains a lane of 8 or 16 bits: one extraction serves several lanes.
// Null if there is no such vector. Lanes of 32 bits are not extracted in pairs: LLVM 22 takes the
// lower half of such a pair for an i64 whose upper half is zero (SUBREG_TO_REG of a copy) if it
// knows some of its bits.
llvm::Value* LaneAddressEmitter::extract_enclosing_i64(const llvm::Value& value, unsigned row,
                                                       unsigned lane) {
  auto* found = values_.find(value);
  const auto bits = value.getType()->getScalarSizeInBits();
  if (found == nullptr || found->kind != VectorValue::Kind::lanes || (bits != 8 && bits != 16) ||
      plan_.width * bits < 64)
    return nullptr;
  auto* i64s = builder_.CreateBitCast(
      lanes(value, row),
      llvm::FixedVectorType::get(builder_.getInt64Ty(), plan_.width * bits / 64));
  return builder_.CreateExtractElement(i64s, std::uint64_t{lane * bits / 64});
}

// One lane, zero-extended to `type`, from the enclosing i64; null: extract it by itself.
llvm::Value* LaneAddressEmitter::zext_lane_from_i64(const llvm::Value& value, unsigned row,
                                                    unsigned lane, llvm::Type* type) {
  if (type->getScalarSizeInBits() > 64)
    return nullptr;
  auto* enclosing = extract_enclosing_i64(value, row, lane);
  if (enclosing == nullptr)
    return nullptr;
  const auto bits = value.getType()->getScalarSizeInBits();
  auto* shifted = builder_.CreateLShr(enclosing, lane * bits % 64);
  return builder_.CreateTrunc(builder_.CreateAnd(shifted, (std::uint64_t{1} << bits) - 1), type);
}

// The byte offset of one lane's GEP with a sign-extended index, from the enclosing i64: two shifts
// both extend and scale it. Emitted as an extension, LLVM would extract the lane by itself. Null:
// the GEP is not of this kind.
llvm::Value* LaneAddressEmitter::sext_offset_from_i64(const llvm::GetElementPtrInst& address,
                                                      unsigned row, unsigned lane) {
  const auto size = layout_.getTypeAllocSize(address.getSourceElementType()).getFixedValue();
  if (address.getNumIndices() != 1 || size < 2 || !llvm::isPowerOf2_64(size))
    return nullptr;
  const auto* index = llvm::dyn_cast<llvm::SExtInst>(address.idx_begin()->get());
  if (index == nullptr || !index->getType()->isIntegerTy(64))
    return nullptr;
  auto* enclosing = extract_enclosing_i64(*index->getOperand(0), row, lane);
  if (enclosing == nullptr)
    return nullptr;
  const auto bits = index->getSrcTy()->getScalarSizeInBits();
  const auto above = 64 - bits - lane * bits % 64;
  if (above == 0)
    return builder_.CreateShl(builder_.CreateAShr(enclosing, 64 - bits), llvm::Log2_64(size));
  return builder_.CreateAShr(builder_.CreateShl(enclosing, above), 64 - bits - llvm::Log2_64(size));
}

} // namespace heddle::compiler
