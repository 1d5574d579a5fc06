// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/emit/emit_scalarized.h"

namespace heddle::compiler {
namespace {

constexpr unsigned kMaxUnrolledLanes = 16; // wider sub-groups take a loop over the lanes
// Two copies are 1.3 to 1.7 times as fast as one.
constexpr unsigned kUpdatesPerIteration = 2;

// Whether the instruction updates memory and nobody uses its result, as in a histogram.
bool only_updates(const llvm::Instruction& instruction) {
  return llvm::isa<llvm::AtomicRMWInst>(instruction) && instruction.use_empty();
}

// Zero if there is no result, or nobody uses it.
unsigned result_components(const llvm::Instruction& instruction) {
  return instruction.use_empty() ? 0 : component_count(instruction.getType());
}

llvm::MDNode* no_unrolling(llvm::LLVMContext& context) {
  auto* id = llvm::MDNode::getDistinct(
      context, {nullptr, llvm::MDNode::get(
                             context, llvm::MDString::get(context, "llvm.loop.unroll.disable"))});
  id->replaceOperandWith(0, id);
  return id;
}

} // namespace

// The type of a value in memory: i1 is stored as i8, since bits are not addressable.
llvm::Type* ScalarizedEmitter::memory_type(llvm::Type* type) {
  return type->isIntegerTy(1) ? builder_.getInt8Ty() : type;
}

// Clones the instruction with the operands of one lane; `component` supplies the components of
// operands that differ between lanes.
llvm::Instruction* ScalarizedEmitter::clone_for_lane(const llvm::Instruction& instruction,
                                                     unsigned row, llvm::Value* lane,
                                                     const LaneComponent& component) {
  auto* made = instruction.clone();
  for (auto& operand : made->operands()) {
    const auto* old = operand.get();
    auto* found = values_.find(*old);
    if (found == nullptr)
      continue;
    auto& from = *found;
    if (from.kind == VectorValue::Kind::uniform) {
      operand.set(from.at(row));
      continue;
    }
    if (from.kind == VectorValue::Kind::affine) {
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
        llvm::Value* built = llvm::PoisonValue::get(vector);
        for (unsigned i = 0; i < vector->getNumElements(); ++i)
          built = builder_.CreateInsertElement(built, component(*old, next++), i);
        return built;
      }
      if (!part->isAggregateType())
        return component(*old, next++);
      llvm::Value* built = llvm::PoisonValue::get(part);
      const auto members = part->isArrayTy() ? static_cast<unsigned>(part->getArrayNumElements())
                                             : part->getStructNumElements();
      for (unsigned i = 0; i < members; ++i)
        built = builder_.CreateInsertValue(
            built, self(self, llvm::GetElementPtrInst::getTypeAtIndex(part, std::uint64_t{i})), i);
      return built;
    };
    operand.set(build(build, old->getType()));
  }
  return builder_.Insert(made, instruction.getName());
}

ScalarizedEmitter::Components
ScalarizedEmitter::emit_unrolled_lanes(const llvm::Instruction& instruction, unsigned row) {
  Components results;
  auto* type = instruction.getType();
  const auto components = result_components(instruction);
  for (unsigned c = 0; c < components; ++c)
    results.push_back(llvm::PoisonValue::get(widened(component_type(type, c))));
  for (unsigned lane = 0; lane < plan_.width; ++lane) {
    auto* made = clone_for_lane(
        instruction, row, builder_.getInt64(lane), [&](const llvm::Value& value, unsigned c) {
          return value.getType()->isPointerTy()
                     ? addresses_.lane_address(value, row, lane)
                     : builder_.CreateExtractElement(lanes(value, row, c), lane);
        });
    for (unsigned c = 0; c < components; ++c)
      results[c] =
          builder_.CreateInsertElement(results[c], values_.extract_component(made, c), lane);
  }
  return results;
}

// Stores the operands that differ between lanes to memory: by operand and component.
ScalarizedEmitter::Slots ScalarizedEmitter::spill_operands(const llvm::Instruction& instruction,
                                                           unsigned row) {
  Slots spilled;
  for (const auto& operand : instruction.operands()) {
    auto* found = values_.find(*operand.get());
    if (found == nullptr || found->kind != VectorValue::Kind::lanes ||
        spilled.contains(operand.get()))
      continue;
    if (!operand->getType()->isPointerTy()) {
      spill(*operand.get(), row, spilled);
      continue;
    }
    for (const auto* narrow : addresses_.narrow_operands(*operand.get()))
      spill(*narrow, row, spilled);
  }
  return spilled;
}

void ScalarizedEmitter::spill(const llvm::Value& operand, unsigned row, Slots& spilled) {
  auto& slots = spilled[&operand];
  if (!slots.empty())
    return;
  const auto components = values_.find(operand)->components;
  for (unsigned c = 0; c < components; ++c) {
    auto* value = lanes(operand, row, c);
    auto* type = llvm::cast<llvm::VectorType>(value->getType());
    if (type->getElementType()->isIntegerTy(1))
      value = builder_.CreateZExt(value, widened(builder_.getInt8Ty()));
    slots.push_back(create_entry_alloca(value->getType(), "lanes"));
    builder_.CreateStore(value, slots.back());
  }
}

llvm::Value* ScalarizedEmitter::lane_slot(llvm::AllocaInst* vector, llvm::Type* element,
                                          llvm::Value* lane) {
  return builder_.CreateInBoundsGEP(memory_type(element), vector, lane);
}

llvm::Value* ScalarizedEmitter::load_lane(const llvm::Value& value, unsigned row,
                                          const Slots& spilled, unsigned component,
                                          llvm::Value* lane) {
  if (!spilled.contains(&value))
    return addresses_.lane_address(value, row, [&](const llvm::Value& operand) {
      return load_lane(operand, row, spilled, 0, lane);
    });
  auto* element = component_type(value.getType(), component);
  auto* part = builder_.CreateLoad(
      memory_type(element), lane_slot(spilled.find(&value)->second[component], element, lane));
  return element->isIntegerTy(1) ? builder_.CreateTrunc(part, element)
                                 : static_cast<llvm::Value*>(part);
}

ScalarizedEmitter::Components
ScalarizedEmitter::emit_active_lane_loop(const llvm::Instruction& instruction, unsigned row) {
  const auto spilled = spill_operands(instruction, row);
  auto* type = instruction.getType();
  const auto components = result_components(instruction);
  llvm::SmallVector<llvm::AllocaInst*, 4> results;
  for (unsigned c = 0; c < components; ++c)
    results.push_back(
        create_entry_alloca(widened(memory_type(component_type(type, c))), "results"));

  auto* bits = masks_.active_bits(row);
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
  auto* made = clone_for_lane(instruction, row, lane, [&](const llvm::Value& value, unsigned c) {
    return load_lane(value, row, spilled, c, lane);
  });
  for (unsigned c = 0; c < components; ++c) {
    auto* element = component_type(type, c);
    auto* value = values_.extract_component(made, c);
    if (element->isIntegerTy(1))
      value = builder_.CreateZExt(value, builder_.getInt8Ty());
    builder_.CreateStore(value, lane_slot(results[c], element, lane));
  }
  auto* rest = builder_.CreateAnd(left, builder_.CreateSub(left, builder_.getInt64(1)));
  left->addIncoming(rest, builder_.GetInsertBlock());
  builder_.CreateCondBr(builder_.CreateICmpEQ(rest, builder_.getInt64(0)), after, loop);
  builder_.SetInsertPoint(after);
  Components values;
  for (unsigned c = 0; c < components; ++c) {
    auto* element = component_type(type, c);
    auto* value = builder_.CreateLoad(results[c]->getAllocatedType(), results[c]);
    values.push_back(element->isIntegerTy(1) ? builder_.CreateTrunc(value, widened(element))
                                             : static_cast<llvm::Value*>(value));
  }
  return values;
}

void ScalarizedEmitter::emit_loop_of_updates(const llvm::Instruction& instruction, unsigned row) {
  const auto count =
      std::min(plan_.width, plan_.updates_per_iteration != 0 ? plan_.updates_per_iteration
                                                             : kUpdatesPerIteration);
  const auto spilled = spill_operands(instruction, row);
  auto* before = builder_.GetInsertBlock();
  auto* loop = new_block("lane");
  auto* after = new_block("lanes.done");
  builder_.CreateBr(loop);
  builder_.SetInsertPoint(loop);
  auto* first = builder_.CreatePHI(builder_.getInt64Ty(), 2, "first");
  first->addIncoming(builder_.getInt64(0), before);
  for (unsigned i = 0; i < count; ++i) {
    auto* lane = builder_.CreateAdd(first, builder_.getInt64(i));
    clone_for_lane(instruction, row, lane, [&](const llvm::Value& value, unsigned c) {
      return load_lane(value, row, spilled, c, lane);
    });
  }
  auto* next = builder_.CreateAdd(first, builder_.getInt64(count));
  first->addIncoming(next, builder_.GetInsertBlock());
  builder_.CreateCondBr(builder_.CreateICmpEQ(next, builder_.getInt64(plan_.width)), after, loop)
      ->setMetadata(llvm::LLVMContext::MD_loop, no_unrolling(builder_.getContext()));
  builder_.SetInsertPoint(after);
}

// Branches to a new block, in which emission goes on, if all lanes are active, else to `some`.
ScalarizedEmitter::Rest ScalarizedEmitter::begin_all_active(unsigned row) {
  auto* all = new_block("all.lanes");
  auto* some = new_block("some.lanes");
  auto* after = new_block("scalarized.done");
  auto* bits = builder_.CreateBitCast(mask(row), builder_.getIntNTy(plan_.width));
  builder_.CreateCondBr(
      builder_.CreateICmpEQ(bits, llvm::Constant::getAllOnesValue(bits->getType())), all, some);
  builder_.SetInsertPoint(all);
  return {some, after};
}

void ScalarizedEmitter::emit_update(const llvm::Instruction& instruction, unsigned row) {
  if (mask(row) == nullptr)
    return emit_loop_of_updates(instruction, row);
  const auto [some, after] = begin_all_active(row);
  emit_loop_of_updates(instruction, row);
  builder_.CreateBr(after);
  builder_.SetInsertPoint(some);
  emit_active_lane_loop(instruction, row);
  builder_.CreateBr(after);
  builder_.SetInsertPoint(after);
}

// All lanes without a loop if all are active, else the loop over the active ones.
ScalarizedEmitter::Components
ScalarizedEmitter::emit_unrolled_if_all_active(const llvm::Instruction& instruction, unsigned row) {
  const auto [some, after] = begin_all_active(row);
  const auto all_results = emit_unrolled_lanes(instruction, row);
  auto* all_end = builder_.GetInsertBlock();
  builder_.CreateBr(after);
  builder_.SetInsertPoint(some);
  const auto some_results = emit_active_lane_loop(instruction, row);
  auto* some_end = builder_.GetInsertBlock();
  builder_.CreateBr(after);
  builder_.SetInsertPoint(after);
  Components results;
  for (unsigned c = 0; c < all_results.size(); ++c) {
    auto* phi = builder_.CreatePHI(all_results[c]->getType(), 2);
    phi->addIncoming(all_results[c], all_end);
    phi->addIncoming(some_results[c], some_end);
    results.push_back(phi);
  }
  return results;
}

void ScalarizedEmitter::emit(const llvm::Instruction& instruction) {
  const bool has_result = !instruction.getType()->isVoidTy() && !instruction.use_empty();
  const bool is_cheap = !llvm::isa<llvm::CallBase>(instruction) &&
                        plan_.width <= kMaxUnrolledLanes &&
                        (!has_result || component_count(instruction.getType()) == 1);
  if (only_updates(instruction) &&
      (plan_.width > kMaxUnrolledLanes || plan_.updates_per_iteration != 0)) {
    for (unsigned row = 0; row < plan_.rows; ++row)
      emit_update(instruction, row);
    return;
  }
  VectorValue wide;
  if (has_result) {
    wide = define(instruction, VectorValue::Kind::lanes);
    wide.by_row = plan_.rows > 1;
    wide.parts.assign((wide.by_row ? plan_.rows : 1) * wide.components, nullptr);
  }
  for (unsigned row = 0; row < plan_.rows; ++row) {
    const auto results = !is_cheap              ? emit_active_lane_loop(instruction, row)
                         : mask(row) == nullptr ? emit_unrolled_lanes(instruction, row)
                                                : emit_unrolled_if_all_active(instruction, row);
    for (unsigned c = 0; c < results.size(); ++c)
      wide.at(row, c) = results[c];
  }
  if (has_result)
    values_[instruction] = std::move(wide);
}

} // namespace heddle::compiler
