// Operands, and instructions that compute values without accessing memory.
#include "compiler/ir/work_item_params.h"
#include "compiler/vectorize/analysis/affine_id.h"
#include "compiler/vectorize/emit/emitter.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Operator.h"

namespace heddle::compiler {

// --- Operands ---------------------------------------------------------------------------------

unsigned Emitter::row_count(const llvm::Value& value) const {
  return shapes_.differs_by_row(value) ? plan_.rows : 1;
}

llvm::Value* Emitter::scalar(const llvm::Value& value, unsigned row) {
  const auto found = values_.find(&value);
  if (found == values_.end())
    return const_cast<llvm::Value*>(&value); // a constant
  return found->second.at(row);
}

llvm::Value* Emitter::extract_component(llvm::Value* value, unsigned component) {
  auto* type = value->getType();
  if (type->isVectorTy())
    return builder_.CreateExtractElement(value, component);
  while (type->isAggregateType()) {
    unsigned index = 0;
    if (auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
      for (; component >= component_count(structure->getElementType(index)); ++index)
        component -= component_count(structure->getElementType(index));
      type = structure->getElementType(index);
    } else {
      auto* element = llvm::cast<llvm::ArrayType>(type)->getElementType();
      index = component / component_count(element);
      component %= component_count(element);
      type = element;
    }
    value = builder_.CreateExtractValue(value, index);
  }
  return type->isVectorTy() ? builder_.CreateExtractElement(value, component) : value;
}

llvm::Value* Emitter::strided_lanes(llvm::Value* first, Stride stride) {
  auto* type = first->getType();
  const bool is_pointer = type->isPointerTy();
  auto* offset_type = is_pointer ? builder_.getInt64Ty() : type;
  llvm::SmallVector<llvm::Constant*, 64> lane_offsets;
  for (unsigned i = 0; i < plan_.width; ++i)
    lane_offsets.push_back(llvm::ConstantInt::getSigned(offset_type, stride * i, true));
  auto* offsets = llvm::ConstantVector::get(lane_offsets);
  return is_pointer ? builder_.CreateGEP(builder_.getInt8Ty(), first, offsets)
                    : builder_.CreateAdd(splat(first), offsets);
}

llvm::Value* Emitter::lanes(const llvm::Value& value, unsigned row, unsigned component) {
  const auto found = values_.find(&value);
  if (found == values_.end()) {
    auto* constant = llvm::cast<llvm::Constant>(const_cast<llvm::Value*>(&value));
    auto* type = component_type(value.getType(), component);
    if (llvm::isa<llvm::PoisonValue>(constant))
      return llvm::PoisonValue::get(widened(type));
    if (llvm::isa<llvm::UndefValue>(constant))
      return llvm::UndefValue::get(widened(type));
    return splat(extract_component(constant, component));
  }
  auto& wide = found->second;
  if (wide.kind == VectorValue::Kind::lanes)
    return wide.at(row, component);
  if (broadcast_block_ != builder_.GetInsertBlock()) {
    broadcasts_.clear();
    broadcast_block_ = builder_.GetInsertBlock();
  }
  auto& made = broadcasts_[{&value, wide.by_row ? row : 0, component}];
  if (made == nullptr) {
    if (wide.kind == VectorValue::Kind::line)
      made = strided_lanes(wide.at(row), wide.stride);
    else
      made = splat(extract_component(wide.at(row), component));
  }
  return made;
}

VectorValue& Emitter::define(const llvm::Value& value, VectorValue::Kind kind) {
  auto& wide = values_[&value];
  wide.kind = kind;
  wide.by_row = shapes_.differs_by_row(value);
  if (kind == VectorValue::Kind::line)
    wide.stride = *shapes_.stride(value);
  wide.components = component_count(value.getType());
  if (kind == VectorValue::Kind::lanes && plan_.rows > 1 &&
      llvm::any_of(llvm::cast<llvm::Instruction>(value).operands(), [&](const llvm::Use& use) {
        const auto found = values_.find(use.get());
        return found != values_.end() && found->second.by_row;
      }))
    wide.by_row = true;
  const auto rows = wide.by_row ? plan_.rows : 1;
  wide.parts.assign(rows * (kind == VectorValue::Kind::lanes ? wide.components : 1), nullptr);
  return wide;
}

// --- Dispatch ---------------------------------------------------------------------------------

void Emitter::emit_instruction(const llvm::Instruction& instruction) {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return emit_load(*load);
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return emit_store(*store);
  if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
    return emit_alloca(*variable);
  if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction))
    return emit_call(*call);
  if (llvm::isa<llvm::FenceInst>(instruction)) {
    clone_scalar(instruction, 0);
    return;
  }
  if (const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction);
      update != nullptr && emit_atomic_reduction(*update))
    return;
  if (llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(instruction))
    remark(instruction, "scalarized", "atomic operations are executed one work-item at a time");
  if (instruction.mayReadOrWriteMemory())
    return emit_scalarized(instruction);
  if (shapes_.is_uniform(instruction))
    return emit_uniform(instruction);
  if (shapes_.stride(instruction))
    return emit_strided(instruction);
  if (const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction))
    return emit_gep(*address);
  if (const auto* cast = llvm::dyn_cast<llvm::BitCastInst>(&instruction))
    return emit_bitcast(*cast);
  if (llvm::isa<llvm::ExtractElementInst, llvm::InsertElementInst, llvm::ShuffleVectorInst,
                llvm::ExtractValueInst, llvm::InsertValueInst>(instruction))
    return emit_component_access(instruction);
  emit_elementwise(instruction);
}

llvm::Instruction* Emitter::clone_scalar(const llvm::Instruction& instruction, unsigned row) {
  auto* made = instruction.clone();
  for (auto& operand : made->operands())
    operand.set(scalar(*operand.get(), row));
  builder_.Insert(made, instruction.getName());
  return made;
}

void Emitter::emit_uniform(const llvm::Instruction& instruction) {
  auto& wide = define(instruction, VectorValue::Kind::uniform);
  const auto step = row_stride(instruction);
  llvm::SmallVector<llvm::Value*, 4> made;
  for (unsigned row = 0; row < row_count(instruction); ++row)
    made.push_back(row != 0 && step ? add_row_offset(made[0], *step * row)
                                    : clone_scalar(instruction, row));
  if (step && made.size() > 1)
    if (auto* first = llvm::dyn_cast<llvm::Instruction>(made[0]))
      first->dropPoisonGeneratingFlags();
  for (unsigned row = 0; row < made.size(); ++row)
    wide.at(row) = made[row];
}

// The constant difference between one row's value and the next one's, modulo 2^bits; nullopt: it is
// not known to be constant. The values of further rows are then computed from the first one's, so
// that equal indices of different rows have equal expressions.
std::optional<std::int64_t> Emitter::row_stride(const llvm::Value& value) {
  if (!shapes_.differs_by_row(value))
    return 0;
  if (&value == work_item_params(kernel_).local_id[1])
    return 1;
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (instruction == nullptr || !instruction->getType()->isIntegerTy())
    return std::nullopt;
  if (const auto known = row_strides_.find(instruction); known != row_strides_.end())
    return known->second;
  std::optional<std::int64_t> step;
  switch (instruction->getOpcode()) {
  case llvm::Instruction::Trunc:
    step = row_stride(*instruction->getOperand(0));
    break;
  case llvm::Instruction::Add:
  case llvm::Instruction::Sub:
    if (const auto a = row_stride(*instruction->getOperand(0)))
      if (const auto b = row_stride(*instruction->getOperand(1)))
        step = instruction->getOpcode() == llvm::Instruction::Add ? *a + *b : *a - *b;
    break;
  default:
    break;
  }
  row_strides_[instruction] = step;
  return step;
}

llvm::Value* Emitter::add_row_offset(llvm::Value* first, std::int64_t distance) {
  return builder_.CreateAdd(first, llvm::ConstantInt::getSigned(first->getType(), distance, true));
}

// The value that lane 0 of ext(value) must have for the active lanes to follow by the stride: exact
// even if lane 0 is inactive and wraps in the narrow type.
llvm::Value* Emitter::extend_lane_0(const llvm::Value& value, bool is_signed, llvm::Type* type,
                                    unsigned row, unsigned depth) {
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  const auto stride = shapes_.stride(value);
  if (instruction != nullptr && stride && *stride != 0 && depth < 16) {
    const auto part = [&](unsigned i) {
      return extend_lane_0(*instruction->getOperand(i), is_signed, type, row, depth + 1);
    };
    switch (instruction->getOpcode()) {
    case llvm::Instruction::Add:
      return builder_.CreateAdd(part(0), part(1));
    case llvm::Instruction::Or: // disjoint
      return builder_.CreateAdd(part(0), part(1));
    case llvm::Instruction::Sub:
      return builder_.CreateSub(part(0), part(1));
    case llvm::Instruction::Mul:
      return builder_.CreateMul(part(0), part(1));
    case llvm::Instruction::Shl:
      return builder_.CreateShl(
          part(0), builder_.CreateZExt(scalar(*instruction->getOperand(1), row), type));
    case llvm::Instruction::Trunc:
      // The operand has the same value, in active lanes.
      if (const auto* trunc = llvm::cast<llvm::TruncInst>(instruction);
          is_signed ? trunc->hasNoSignedWrap() : trunc->hasNoUnsignedWrap())
        return builder_.CreateIntCast(scalar(*instruction->getOperand(0), row), type, is_signed);
      break;
    default:
      break;
    }
  }
  return builder_.CreateIntCast(scalar(value, row), type, is_signed);
}

void Emitter::emit_strided(const llvm::Instruction& instruction) {
  define(instruction, VectorValue::Kind::line);
  const auto step = row_stride(instruction);
  for (unsigned row = 0; row < row_count(instruction); ++row) {
    llvm::Value* made = nullptr;
    if (row != 0 && step) {
      made = add_row_offset(values_[&instruction].at(0), *step * row);
    } else if (llvm::isa<llvm::SExtInst, llvm::ZExtInst>(instruction)) {
      made = extend_lane_0(*instruction.getOperand(0), shapes_.extends_as_signed(instruction),
                           instruction.getType(), row);
    } else if (instruction.isShift() && instruction.getOpcode() != llvm::Instruction::Shl) {
      // The intermediate value has no stride.
      const auto value = *narrowed_value(instruction);
      auto* inner = builder_.CreateAdd(scalar(*value.value, row), builder_.getInt64(value.added));
      auto* left = builder_.CreateShl(inner, 64 - value.bits);
      const auto right = 64 - value.bits - value.shift;
      made = instruction.getOpcode() == llvm::Instruction::AShr ? builder_.CreateAShr(left, right)
                                                                : builder_.CreateLShr(left, right);
    } else {
      auto* copy = clone_scalar(instruction, row);
      // Lane 0 may be inactive, and the flags hold for active lanes only.
      copy->dropPoisonGeneratingFlags();
      made = copy;
    }
    values_[&instruction].at(row) = made;
  }
}

// --- Elementwise ------------------------------------------------------------------------------

llvm::Value* Emitter::widen_elementwise(const llvm::Instruction& instruction, unsigned row,
                                        unsigned component) {
  const auto operand = [&](unsigned i) {
    return lanes(*instruction.getOperand(i), row, component);
  };
  llvm::Value* made = nullptr;
  if (const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction)) {
    made = builder_.CreateBinOp(operation->getOpcode(), operand(0), operand(1));
  } else if (auto* by_count = compare_by_lane_count(instruction, row)) {
    return by_count;
  } else if (const auto* compare = llvm::dyn_cast<llvm::CmpInst>(&instruction)) {
    made = builder_.CreateCmp(compare->getPredicate(), operand(0), operand(1));
  } else if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(&instruction)) {
    made = builder_.CreateCast(cast->getOpcode(), operand(0),
                               widened(component_type(cast->getType(), component)));
  } else if (llvm::isa<llvm::SelectInst>(instruction)) {
    const auto& condition = *instruction.getOperand(0);
    const bool is_vector = condition.getType()->isVectorTy();
    auto* chosen = shapes_.is_uniform(condition) && !is_vector
                       ? scalar(condition, row)
                       : lanes(condition, row, is_vector ? component : 0);
    made = builder_.CreateSelect(chosen, operand(1), operand(2));
  } else if (instruction.getOpcode() == llvm::Instruction::FNeg) {
    made = builder_.CreateFNeg(operand(0));
  } else {
    made = builder_.CreateFreeze(operand(0));
  }
  if (auto* result = llvm::dyn_cast<llvm::Instruction>(made)) {
    result->copyIRFlags(&instruction);
    result->copyMetadata(instruction, {llvm::LLVMContext::MD_fpmath});
  }
  return made;
}

// A comparison of an ascending 64-bit id with a uniform bound, which holds (or not) for the first n
// lanes: n is computed on scalars and compared with the lane numbers in 32 bits, since a register
// holds few 64-bit elements. Null: the comparison is not of this kind.
llvm::Value* Emitter::compare_by_lane_count(const llvm::Instruction& instruction, unsigned row) {
  const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(&instruction);
  if (compare == nullptr || !compare->getOperand(0)->getType()->isIntegerTy(64))
    return nullptr;
  const auto found = ascending_bound(*compare, true);
  // Facts about other affine values hold for active lanes only, and lane 0 may be inactive.
  if (!found || llvm::ICmpInst::isEquality(found->predicate) ||
      llvm::ICmpInst::isSigned(found->predicate) ||
      !is_plain_id(*found->number, work_item_params(kernel_)))
    return nullptr;
  auto* type = builder_.getInt64Ty();
  auto* first = scalar(*found->number, row);
  auto* limit = scalar(*found->limit, row);
  const bool is_below = found->is_below();
  const auto predicate =
      is_below ? found->predicate : llvm::ICmpInst::getInversePredicate(found->predicate);
  const bool is_inclusive = llvm::ICmpInst::isLE(predicate);
  auto* distance = builder_.CreateBinaryIntrinsic(
      llvm::Intrinsic::umin, builder_.CreateSub(limit, first),
      llvm::ConstantInt::get(type, is_inclusive ? plan_.width - 1 : plan_.width));
  if (is_inclusive)
    distance = builder_.CreateAdd(distance, builder_.getInt64(1));
  auto* count = builder_.CreateSelect(builder_.CreateICmp(predicate, first, limit), distance,
                                      builder_.getInt64(0), "below");
  auto* lane_numbers = strided_lanes(builder_.getInt32(0), 1);
  auto* counts = splat(builder_.CreateTrunc(count, builder_.getInt32Ty()));
  return is_below ? builder_.CreateICmpULT(lane_numbers, counts)
                  : builder_.CreateICmpUGE(lane_numbers, counts);
}

void Emitter::emit_elementwise(const llvm::Instruction& instruction) {
  if (instruction.isIntDivRem())
    return emit_division(llvm::cast<llvm::BinaryOperator>(instruction));
  auto wide = define(instruction, VectorValue::Kind::lanes);
  for (unsigned row = 0; row < (wide.by_row ? plan_.rows : 1); ++row)
    for (unsigned c = 0; c < wide.components; ++c)
      wide.at(row, c) = widen_elementwise(instruction, row, c);
  values_[&instruction] = std::move(wide);
}

// Inactive lanes must not divide by zero. CPUs have no vector division of integers; up to 32 bits
// the quotient of doubles, truncated, is exact.
void Emitter::emit_division(const llvm::BinaryOperator& division) {
  auto wide = define(division, VectorValue::Kind::lanes);
  const auto opcode = division.getOpcode();
  const bool is_signed = opcode == llvm::Instruction::SDiv || opcode == llvm::Instruction::SRem;
  const bool is_remainder = opcode == llvm::Instruction::URem || opcode == llvm::Instruction::SRem;
  const auto bits = division.getType()->getScalarSizeInBits();
  const bool by_constant = llvm::isa<llvm::Constant>(division.getOperand(1));
  if (plan_.rows > 1)
    wide.by_row = true;
  wide.parts.assign((wide.by_row ? plan_.rows : 1) * wide.components, nullptr);
  for (unsigned row = 0; row < (wide.by_row ? plan_.rows : 1); ++row)
    for (unsigned c = 0; c < wide.components; ++c) {
      auto* dividend = lanes(*division.getOperand(0), row, c);
      auto* divisor = lanes(*division.getOperand(1), row, c);
      auto* type = dividend->getType();
      if (by_constant) {
        wide.at(row, c) = builder_.CreateBinOp(opcode, dividend, divisor);
        continue;
      }
      // Even if the divisor is known not to be zero: that may hold for active lanes only.
      auto* zero = llvm::Constant::getNullValue(type);
      auto* one = llvm::ConstantInt::get(type, 1);
      divisor = builder_.CreateFreeze(divisor);
      divisor = builder_.CreateSelect(builder_.CreateICmpEQ(divisor, zero), one, divisor);
      if (bits <= 32) {
        dividend = builder_.CreateFreeze(dividend);
        auto* real = widened(bits <= 16 ? builder_.getFloatTy() : builder_.getDoubleTy());
        auto* quotient = builder_.CreateFDiv(is_signed ? builder_.CreateSIToFP(dividend, real)
                                                       : builder_.CreateUIToFP(dividend, real),
                                             is_signed ? builder_.CreateSIToFP(divisor, real)
                                                       : builder_.CreateUIToFP(divisor, real));
        // INT_MIN / -1 overflows; its value is unspecified, but it must not be poison.
        auto* truncated = is_signed ? builder_.CreateFreeze(builder_.CreateFPToSI(quotient, type))
                                    : builder_.CreateFPToUI(quotient, type);
        wide.at(row, c) = is_remainder
                              ? builder_.CreateSub(dividend, builder_.CreateMul(truncated, divisor))
                              : truncated;
      } else {
        if (is_signed) {
          dividend = builder_.CreateFreeze(dividend);
          auto* least = llvm::ConstantInt::get(type, llvm::APInt::getSignedMinValue(bits));
          auto* overflows = builder_.CreateAnd(
              builder_.CreateICmpEQ(dividend, least),
              builder_.CreateICmpEQ(divisor, llvm::Constant::getAllOnesValue(type)));
          divisor = builder_.CreateSelect(overflows, one, divisor);
        }
        remark(division, "scalar divisions", "CPUs have no vector division of 64-bit integers");
        wide.at(row, c) = builder_.CreateBinOp(opcode, dividend, divisor);
      }
    }
  values_[&division] = std::move(wide);
}

// --- Vectors of the kernel --------------------------------------------------------------------

// parts[0][0], parts[1][0], ..., parts[0][1], ...: each lane's components together, as in memory.
llvm::Value* Emitter::interleave(llvm::ArrayRef<llvm::Value*> parts) {
  if (parts.size() == 1)
    return parts.front();
  const auto count = static_cast<unsigned>(parts.size());
  auto* concatenated = llvm::concatenateVectors(builder_, parts);
  llvm::SmallVector<int, 64> order;
  for (unsigned lane = 0; lane < plan_.width; ++lane)
    for (unsigned c = 0; c < count; ++c)
      order.push_back(static_cast<int>(c * plan_.width + lane));
  return builder_.CreateShuffleVector(concatenated, order);
}

// Elements offset, offset + stride, offset + 2 * stride, ...
llvm::Value* Emitter::deinterleave(llvm::Value* vector, unsigned stride, unsigned offset) {
  llvm::SmallVector<int, 64> order;
  for (unsigned lane = 0; lane < plan_.width; ++lane)
    order.push_back(static_cast<int>(lane * stride + offset));
  return builder_.CreateShuffleVector(vector, order);
}

void Emitter::emit_bitcast(const llvm::BitCastInst& cast) {
  auto* from = cast.getSrcTy();
  const auto source_count = component_count(from);
  if (source_count == component_count(cast.getType()))
    return emit_elementwise(cast);
  auto wide = define(cast, VectorValue::Kind::lanes);
  for (unsigned row = 0; row < (wide.by_row ? plan_.rows : 1); ++row) {
    llvm::SmallVector<llvm::Value*, 16> parts;
    for (unsigned c = 0; c < source_count; ++c)
      parts.push_back(lanes(*cast.getOperand(0), row, c));
    auto* element = component_type(cast.getType(), 0);
    auto* bits = builder_.CreateBitCast(
        interleave(parts), llvm::FixedVectorType::get(element, plan_.width * wide.components));
    for (unsigned c = 0; c < wide.components; ++c)
      wide.at(row, c) = wide.components == 1 ? bits : deinterleave(bits, wide.components, c);
  }
  values_[&cast] = std::move(wide);
}

void Emitter::emit_gep(const llvm::GetElementPtrInst& address) {
  auto wide = define(address, VectorValue::Kind::lanes);
  for (unsigned row = 0; row < (wide.by_row ? plan_.rows : 1); ++row) {
    const auto operand = [&](const llvm::Value& value) {
      return shapes_.is_uniform(value) ? scalar(value, row) : lanes(value, row);
    };
    llvm::SmallVector<llvm::Value*, 4> indices;
    for (const auto& index : address.indices())
      indices.push_back(operand(*index));
    // Not inbounds: addresses of inactive lanes may be out of bounds.
    wide.at(row) = builder_.CreateGEP(address.getSourceElementType(),
                                      operand(*address.getPointerOperand()), indices);
  }
  values_[&address] = std::move(wide);
}

llvm::Value* Emitter::extract_element(const llvm::ExtractElementInst& extract, unsigned row) {
  const auto& vector = *extract.getVectorOperand();
  const auto& index = *extract.getIndexOperand();
  const auto count = component_count(vector.getType());
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&index)) {
    const auto number = constant->getValue().getLimitedValue(count);
    return number < count ? lanes(vector, row, static_cast<unsigned>(number))
                          : llvm::PoisonValue::get(widened(component_type(vector.getType(), 0)));
  }
  auto* position = shapes_.is_uniform(index) ? scalar(index, row) : lanes(index, row);
  auto* result = lanes(vector, row, 0);
  for (unsigned c = 1; c < count; ++c)
    result = builder_.CreateSelect(
        builder_.CreateICmpEQ(position, llvm::ConstantInt::get(position->getType(), c)),
        lanes(vector, row, c), result);
  return result;
}

void Emitter::emit_component_access(const llvm::Instruction& instruction) {
  auto wide = define(instruction, VectorValue::Kind::lanes);
  for (unsigned row = 0; row < (wide.by_row ? plan_.rows : 1); ++row) {
    if (const auto* extract = llvm::dyn_cast<llvm::ExtractElementInst>(&instruction)) {
      wide.at(row) = extract_element(*extract, row);
      continue;
    }
    if (const auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&instruction)) {
      const auto first = component_count(shuffle->getOperand(0)->getType());
      for (unsigned c = 0; c < wide.components; ++c) {
        const int from = shuffle->getMaskValue(c);
        if (from < 0)
          wide.at(row, c) = llvm::PoisonValue::get(widened(component_type(shuffle->getType(), c)));
        else if (static_cast<unsigned>(from) < first)
          wide.at(row, c) = lanes(*shuffle->getOperand(0), row, static_cast<unsigned>(from));
        else
          wide.at(row, c) =
              lanes(*shuffle->getOperand(1), row, static_cast<unsigned>(from) - first);
      }
      continue;
    }
    if (const auto* insert = llvm::dyn_cast<llvm::InsertElementInst>(&instruction)) {
      const auto& index = *insert->getOperand(2);
      for (unsigned c = 0; c < wide.components; ++c) {
        if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&index)) {
          wide.at(row, c) = constant->equalsInt(c) ? lanes(*insert->getOperand(1), row)
                                                   : lanes(*insert->getOperand(0), row, c);
          continue;
        }
        auto* position = shapes_.is_uniform(index) ? scalar(index, row) : lanes(index, row);
        wide.at(row, c) = builder_.CreateSelect(
            builder_.CreateICmpEQ(position, llvm::ConstantInt::get(position->getType(), c)),
            lanes(*insert->getOperand(1), row), lanes(*insert->getOperand(0), row, c));
      }
      continue;
    }
    const auto path_start = [&](llvm::Type* type, llvm::ArrayRef<unsigned> path) {
      unsigned first = 0;
      for (const auto index : path) {
        first += first_component(type, index);
        type = llvm::GetElementPtrInst::getTypeAtIndex(type, std::uint64_t{index});
      }
      return first;
    };
    if (const auto* extract = llvm::dyn_cast<llvm::ExtractValueInst>(&instruction)) {
      const auto first =
          path_start(extract->getAggregateOperand()->getType(), extract->getIndices());
      for (unsigned c = 0; c < wide.components; ++c)
        wide.at(row, c) = lanes(*extract->getAggregateOperand(), row, first + c);
      continue;
    }
    const auto& insert = llvm::cast<llvm::InsertValueInst>(instruction);
    const auto first = path_start(insert.getType(), insert.getIndices());
    const auto count = component_count(insert.getInsertedValueOperand()->getType());
    for (unsigned c = 0; c < wide.components; ++c)
      wide.at(row, c) = c >= first && c < first + count
                            ? lanes(*insert.getInsertedValueOperand(), row, c - first)
                            : lanes(*insert.getAggregateOperand(), row, c);
  }
  values_[&instruction] = std::move(wide);
}

} // namespace heddle::compiler
