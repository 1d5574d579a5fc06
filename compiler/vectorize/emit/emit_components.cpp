// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Components of OpenCL vectors, structures and arrays: each is a vector of all lanes.
#include "compiler/vectorize/emit/emit_values.h"
#include "compiler/vectorize/emit/lane_shuffles.h"

namespace heddle::compiler {
namespace {

// Selections of shorter elements by a bit of a longer index take longer than by comparisons.
constexpr unsigned kWordBits = 32;

} // namespace

void ValueEmitter::emit_bitcast(const llvm::BitCastInst& cast) {
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
    auto* bits =
        builder_.CreateBitCast(interleave(builder_, parts),
                               llvm::FixedVectorType::get(element, plan_.width * wide.components));
    for (unsigned c = 0; c < wide.components; ++c)
      wide.at(row, c) = wide.components == 1
                            ? bits
                            : deinterleave(builder_, bits, plan_.width, wide.components, c);
  }
  values_[cast] = std::move(wide);
}

// The component at `position`: each bit of it halves what is left, which takes fewer comparisons
// than one with each number.
llvm::Value* ValueEmitter::select_by_bits(llvm::SmallVectorImpl<llvm::Value*>& components,
                                          llvm::Value* position) {
  auto* type = position->getType();
  for (std::uint64_t bit = 1; components.size() > 1; bit *= 2) {
    auto* is_odd =
        builder_.CreateIsNotNull(builder_.CreateAnd(position, llvm::ConstantInt::get(type, bit)));
    for (std::size_t i = 0; i < components.size() / 2; ++i)
      components[i] = builder_.CreateSelect(is_odd, components[2 * i + 1], components[2 * i]);
    components.truncate(components.size() / 2);
  }
  return components.front();
}

llvm::Value* ValueEmitter::extract_element(const llvm::ExtractElementInst& extract, unsigned row) {
  const auto& vector = *extract.getVectorOperand();
  const auto& index = *extract.getIndexOperand();
  const auto count = component_count(vector.getType());
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&index)) {
    const auto number = constant->getValue().getLimitedValue(count);
    return number < count ? lanes(vector, row, static_cast<unsigned>(number))
                          : llvm::PoisonValue::get(widened(component_type(vector.getType(), 0)));
  }
  auto* position = shapes_.is_uniform(index) ? scalar(index, row) : lanes(index, row);
  if (position->getType()->isVectorTy() && llvm::isPowerOf2_32(count) &&
      vector.getType()->getScalarSizeInBits() >= kWordBits) {
    llvm::SmallVector<llvm::Value*, 16> components;
    for (unsigned c = 0; c < count; ++c)
      components.push_back(lanes(vector, row, c));
    return select_by_bits(components, position);
  }
  auto* result = lanes(vector, row, 0);
  for (unsigned c = 1; c < count; ++c)
    result = builder_.CreateSelect(
        builder_.CreateICmpEQ(position, llvm::ConstantInt::get(position->getType(), c)),
        lanes(vector, row, c), result);
  return result;
}

llvm::Value* ValueEmitter::insert_element(const llvm::InsertElementInst& insert, unsigned row,
                                          unsigned component) {
  const auto& vector = *insert.getOperand(0);
  const auto& element = *insert.getOperand(1);
  const auto& index = *insert.getOperand(2);
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&index))
    return constant->equalsInt(component) ? lanes(element, row) : lanes(vector, row, component);
  auto* position = shapes_.is_uniform(index) ? scalar(index, row) : lanes(index, row);
  auto* is_inserted =
      builder_.CreateICmpEQ(position, llvm::ConstantInt::get(position->getType(), component));
  auto* inserted = lanes(element, row);
  return builder_.CreateSelect(is_inserted, inserted, lanes(vector, row, component));
}

llvm::Value* ValueEmitter::shuffle_component(const llvm::ShuffleVectorInst& shuffle, unsigned row,
                                             unsigned component) {
  const auto first_count = component_count(shuffle.getOperand(0)->getType());
  const int from = shuffle.getMaskValue(component);
  if (from < 0)
    return llvm::PoisonValue::get(widened(component_type(shuffle.getType(), component)));
  const auto number = static_cast<unsigned>(from);
  return number < first_count ? lanes(*shuffle.getOperand(0), row, number)
                              : lanes(*shuffle.getOperand(1), row, number - first_count);
}

namespace {

// The number of the first component of a member of a structure or array.
unsigned member_start(llvm::Type* type, llvm::ArrayRef<unsigned> path) {
  unsigned first = 0;
  for (const auto index : path) {
    first += first_component(type, index);
    type = llvm::GetElementPtrInst::getTypeAtIndex(type, std::uint64_t{index});
  }
  return first;
}

} // namespace

void ValueEmitter::emit_component_access(const llvm::Instruction& instruction) {
  auto wide = define(instruction, VectorValue::Kind::lanes);
  for (unsigned row = 0; row < (wide.by_row ? plan_.rows : 1); ++row)
    for (unsigned c = 0; c < wide.components; ++c)
      wide.at(row, c) = access_component(instruction, row, c);
  values_[instruction] = std::move(wide);
}

// Component `component` of the result.
llvm::Value* ValueEmitter::access_component(const llvm::Instruction& instruction, unsigned row,
                                            unsigned component) {
  if (const auto* extract = llvm::dyn_cast<llvm::ExtractElementInst>(&instruction))
    return extract_element(*extract, row);
  if (const auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&instruction))
    return shuffle_component(*shuffle, row, component);
  if (const auto* insert = llvm::dyn_cast<llvm::InsertElementInst>(&instruction))
    return insert_element(*insert, row, component);
  if (const auto* extract = llvm::dyn_cast<llvm::ExtractValueInst>(&instruction)) {
    const auto& aggregate = *extract->getAggregateOperand();
    return lanes(aggregate, row,
                 member_start(aggregate.getType(), extract->getIndices()) + component);
  }
  const auto& insert = llvm::cast<llvm::InsertValueInst>(instruction);
  const auto& inserted = *insert.getInsertedValueOperand();
  const auto first = member_start(insert.getType(), insert.getIndices());
  return component >= first && component < first + component_count(inserted.getType())
             ? lanes(inserted, row, component - first)
             : lanes(*insert.getAggregateOperand(), row, component);
}

} // namespace heddle::compiler
