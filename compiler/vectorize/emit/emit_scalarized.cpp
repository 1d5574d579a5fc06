// Instructions without a vector equivalent: scalarized, once per active lane.
#include "compiler/vectorize/emit/emitter.h"

namespace heddle::compiler {
namespace {

constexpr unsigned kMaxUnrolledLanes = 16; // wider sub-groups take a loop over the lanes
constexpr unsigned kMaxAddressDepth = 4;

} // namespace

// The type of a value in memory: i1 is stored as i8, since bits are not addressable.
llvm::Type* Emitter::memory_type(llvm::Type* type) {
  return type->isIntegerTy(1) ? builder_.getInt8Ty() : type;
}

// Clones the instruction with the operands of one lane; `component` supplies the components of
// operands that differ between lanes.
llvm::Instruction* Emitter::clone_for_lane(const llvm::Instruction& instruction, unsigned row,
                                           llvm::Value* lane, const LaneComponent& component) {
  auto* made = instruction.clone();
  for (auto& operand : made->operands()) {
    const auto* old = operand.get();
    const auto found = values_.find(old);
    if (found == values_.end())
      continue;
    auto& from = found->second;
    if (from.kind == VectorValue::Kind::uniform) {
      operand.set(from.at(row));
      continue;
    }
    if (from.kind == VectorValue::Kind::line) {
      auto* distance = builder_.CreateMul(lane, builder_.getInt64(from.stride));
      auto* first = from.at(row);
      operand.set(
          first->getType()->isPointerTy()
              ? builder_.CreateGEP(builder_.getInt8Ty(), first, distance)
              : builder_.CreateAdd(first, builder_.CreateZExtOrTrunc(distance, first->getType())));
      continue;
    }
    unsigned next = 0;
    const auto build = [&](auto&& self, llvm::Type* part) -> llvm::Value* {
      if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(part)) {
        llvm::Value* whole = llvm::PoisonValue::get(vector);
        for (unsigned i = 0; i < vector->getNumElements(); ++i)
          whole = builder_.CreateInsertElement(whole, component(*old, next++), i);
        return whole;
      }
      if (!part->isAggregateType())
        return component(*old, next++);
      llvm::Value* whole = llvm::PoisonValue::get(part);
      const auto members = part->isArrayTy() ? static_cast<unsigned>(part->getArrayNumElements())
                                             : part->getStructNumElements();
      for (unsigned i = 0; i < members; ++i)
        whole = builder_.CreateInsertValue(
            whole, self(self, llvm::GetElementPtrInst::getTypeAtIndex(part, std::uint64_t{i})), i);
      return whole;
    };
    operand.set(build(build, old->getType()));
  }
  return builder_.Insert(made, instruction.getName());
}

// One lane's value of an address. Its narrow operands are extracted from the vectors and the
// arithmetic is repeated on scalars: a register holds more indices than addresses, and addressing
// modes do the additions.
llvm::Value* Emitter::lane_address(const llvm::Value& value, unsigned row, unsigned lane,
                                   unsigned depth) {
  const auto found = values_.find(&value);
  if (found == values_.end())
    return const_cast<llvm::Value*>(&value);
  if (found->second.kind == VectorValue::Kind::uniform)
    return found->second.at(row);
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  const bool is_rematerialized =
      instruction != nullptr && depth < kMaxAddressDepth &&
      (llvm::isa<llvm::GetElementPtrInst, llvm::ZExtInst, llvm::SExtInst>(instruction) ||
       (llvm::isa<llvm::BinaryOperator>(instruction) &&
        llvm::isa<llvm::ConstantInt>(instruction->getOperand(1)) &&
        (instruction->getOpcode() == llvm::Instruction::Add ||
         instruction->getOpcode() == llvm::Instruction::Shl))) &&
      !value.getType()->isVectorTy() &&
      !instruction->getOperand(0)->getType()->getScalarType()->isIntegerTy(1);
  if (found->second.kind == VectorValue::Kind::line || !is_rematerialized)
    return builder_.CreateExtractElement(lanes(value, row), lane);
  if (llvm::isa<llvm::ZExtInst>(instruction))
    if (auto* index = zext_lane_from_i64(*instruction->getOperand(0), row, lane, value.getType()))
      return index;
  if (const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(instruction))
    if (auto* distance = sext_offset_from_i64(*address, row, lane))
      return builder_.CreateGEP(builder_.getInt8Ty(),
                                lane_address(*address->getPointerOperand(), row, lane, depth + 1),
                                distance);
  auto* made = instruction->clone();
  for (auto& operand : made->operands())
    operand.set(lane_address(*operand.get(), row, lane, depth + 1));
  return builder_.Insert(made);
}

// The i64 of a vector that contains a lane of 8 or 16 bits: one extraction serves several lanes.
// Null if there is no such vector. Lanes of 32 bits are not extracted in pairs: LLVM 22 takes the
// lower half of such a pair for an i64 whose upper half is zero (SUBREG_TO_REG of a copy) if it
// knows some of its bits.
llvm::Value* Emitter::extract_enclosing_i64(const llvm::Value& value, unsigned row, unsigned lane) {
  const auto found = values_.find(&value);
  const auto bits = value.getType()->getScalarSizeInBits();
  if (found == values_.end() || found->second.kind != VectorValue::Kind::lanes ||
      (bits != 8 && bits != 16) || plan_.width * bits < 64)
    return nullptr;
  auto* i64s = builder_.CreateBitCast(
      lanes(value, row),
      llvm::FixedVectorType::get(builder_.getInt64Ty(), plan_.width * bits / 64));
  return builder_.CreateExtractElement(i64s, std::uint64_t{lane * bits / 64});
}

// One lane, zero-extended to `type`, from the enclosing i64; null: extract it by itself.
llvm::Value* Emitter::zext_lane_from_i64(const llvm::Value& value, unsigned row, unsigned lane,
                                         llvm::Type* type) {
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
llvm::Value* Emitter::sext_offset_from_i64(const llvm::GetElementPtrInst& address, unsigned row,
                                           unsigned lane) {
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

// The instruction once per lane, without a loop: for cheap instructions with all lanes active.
// Returns the components of the result.
llvm::SmallVector<llvm::Value*, 4>
Emitter::emit_unrolled_lanes(const llvm::Instruction& instruction, unsigned row) {
  llvm::SmallVector<llvm::Value*, 4> results;
  auto* type = instruction.getType();
  const auto components = type->isVoidTy() ? 0 : component_count(type);
  for (unsigned c = 0; c < components; ++c)
    results.push_back(llvm::PoisonValue::get(widened(component_type(type, c))));
  for (unsigned lane = 0; lane < plan_.width; ++lane) {
    auto* made = clone_for_lane(
        instruction, row, builder_.getInt64(lane), [&](const llvm::Value& value, unsigned c) {
          return value.getType()->isPointerTy()
                     ? lane_address(value, row, lane, 0)
                     : builder_.CreateExtractElement(lanes(value, row, c), lane);
        });
    for (unsigned c = 0; c < components; ++c)
      results[c] = builder_.CreateInsertElement(results[c], extract_component(made, c), lane);
  }
  return results;
}

// A loop over the active lanes, of which there may be none: in a block that has no guard, or that
// lanes of another row are active in. Operands are spilled to memory, where elements are addressed
// by lane. Returns the components of the result.
llvm::SmallVector<llvm::Value*, 4>
Emitter::emit_active_lane_loop(const llvm::Instruction& instruction, unsigned row) {
  llvm::DenseMap<const llvm::Value*, llvm::SmallVector<llvm::AllocaInst*, 4>> spilled;
  for (const auto& operand : instruction.operands()) {
    const auto found = values_.find(operand.get());
    if (found == values_.end() || found->second.kind != VectorValue::Kind::lanes ||
        spilled.contains(operand.get()))
      continue;
    auto& slots = spilled[operand.get()];
    for (unsigned c = 0; c < found->second.components; ++c) {
      auto* value = lanes(*operand.get(), row, c);
      auto* type = llvm::cast<llvm::VectorType>(value->getType());
      if (type->getElementType()->isIntegerTy(1))
        value = builder_.CreateZExt(value, widened(builder_.getInt8Ty()));
      slots.push_back(create_entry_alloca(value->getType(), "lanes"));
      builder_.CreateStore(value, slots.back());
    }
  }
  auto* type = instruction.getType();
  const auto components = type->isVoidTy() ? 0 : component_count(type);
  llvm::SmallVector<llvm::AllocaInst*, 4> results;
  for (unsigned c = 0; c < components; ++c)
    results.push_back(
        create_entry_alloca(widened(memory_type(component_type(type, c))), "results"));

  auto* bits = builder_.CreateZExtOrTrunc(
      builder_.CreateBitCast(mask_or_all(row), builder_.getIntNTy(plan_.width)),
      builder_.getInt64Ty());
  auto* before = builder_.GetInsertBlock();
  auto* loop = new_block("lane");
  auto* after = new_block("lanes.done");
  if (mask(row) == nullptr)
    builder_.CreateBr(loop);
  else
    builder_.CreateCondBr(builder_.CreateICmpEQ(bits, builder_.getInt64(0)), after, loop);
  builder_.SetInsertPoint(loop);
  auto* left = builder_.CreatePHI(builder_.getInt64Ty(), 2, "left");
  left->addIncoming(bits, before);
  auto* lane = builder_.CreateIntrinsic(llvm::Intrinsic::cttz, {builder_.getInt64Ty()},
                                        {left, builder_.getTrue()});
  const auto slot = [&](llvm::AllocaInst* vector, llvm::Type* element) {
    return builder_.CreateInBoundsGEP(memory_type(element), vector, lane);
  };
  auto* made = clone_for_lane(
      instruction, row, lane, [&](const llvm::Value& value, unsigned c) -> llvm::Value* {
        auto* element = component_type(value.getType(), c);
        auto* part = builder_.CreateLoad(memory_type(element),
                                         slot(spilled.find(&value)->second[c], element));
        return element->isIntegerTy(1) ? builder_.CreateTrunc(part, element) : part;
      });
  for (unsigned c = 0; c < components; ++c) {
    auto* element = component_type(type, c);
    auto* value = extract_component(made, c);
    if (element->isIntegerTy(1))
      value = builder_.CreateZExt(value, builder_.getInt8Ty());
    builder_.CreateStore(value, slot(results[c], element));
  }
  auto* rest = builder_.CreateAnd(left, builder_.CreateSub(left, builder_.getInt64(1)));
  left->addIncoming(rest, builder_.GetInsertBlock());
  builder_.CreateCondBr(builder_.CreateICmpEQ(rest, builder_.getInt64(0)), after, loop);
  builder_.SetInsertPoint(after);
  llvm::SmallVector<llvm::Value*, 4> values;
  for (unsigned c = 0; c < components; ++c) {
    auto* element = component_type(type, c);
    auto* value = builder_.CreateLoad(results[c]->getAllocatedType(), results[c]);
    values.push_back(element->isIntegerTy(1) ? builder_.CreateTrunc(value, widened(element))
                                             : static_cast<llvm::Value*>(value));
  }
  return values;
}

void Emitter::emit_scalarized(const llvm::Instruction& instruction) {
  const bool has_result = !instruction.getType()->isVoidTy();
  const bool is_cheap = !llvm::isa<llvm::CallBase>(instruction) &&
                        plan_.width <= kMaxUnrolledLanes &&
                        (!has_result || component_count(instruction.getType()) == 1);
  VectorValue wide;
  if (has_result) {
    wide = define(instruction, VectorValue::Kind::lanes);
    wide.by_row = plan_.rows > 1;
    wide.parts.assign((wide.by_row ? plan_.rows : 1) * wide.components, nullptr);
  }
  for (unsigned row = 0; row < plan_.rows; ++row) {
    llvm::SmallVector<llvm::Value*, 4> results;
    if (!is_cheap) {
      results = emit_active_lane_loop(instruction, row);
    } else if (mask(row) == nullptr) {
      results = emit_unrolled_lanes(instruction, row);
    } else {
      auto* all = new_block("all.lanes");
      auto* some = new_block("some.lanes");
      auto* after = new_block("each.lane");
      auto* bits = builder_.CreateBitCast(mask(row), builder_.getIntNTy(plan_.width));
      builder_.CreateCondBr(
          builder_.CreateICmpEQ(bits, llvm::Constant::getAllOnesValue(bits->getType())), all, some);
      builder_.SetInsertPoint(all);
      const auto all_results = emit_unrolled_lanes(instruction, row);
      auto* all_end = builder_.GetInsertBlock();
      builder_.CreateBr(after);
      builder_.SetInsertPoint(some);
      const auto some_results = emit_active_lane_loop(instruction, row);
      auto* some_end = builder_.GetInsertBlock();
      builder_.CreateBr(after);
      builder_.SetInsertPoint(after);
      for (unsigned c = 0; c < all_results.size(); ++c) {
        auto* either = builder_.CreatePHI(all_results[c]->getType(), 2);
        either->addIncoming(all_results[c], all_end);
        either->addIncoming(some_results[c], some_end);
        results.push_back(either);
      }
    }
    for (unsigned c = 0; c < results.size(); ++c)
      wide.at(row, c) = results[c];
  }
  if (has_result)
    values_[&instruction] = std::move(wide);
}

} // namespace heddle::compiler
