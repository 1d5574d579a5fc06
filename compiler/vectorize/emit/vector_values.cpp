// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/emit/vector_values.h"

namespace heddle::compiler {

VectorValues::VectorValues(EmitContext& context)
    : builder_(context.builder()), plan_(context.inputs().plan), shapes_(context.inputs().shapes) {}

VectorValue* VectorValues::find(const llvm::Value& value) {
  const auto found = values_.find(&value);
  return found != values_.end() ? &found->second : nullptr;
}

llvm::VectorType* VectorValues::widened(llvm::Type* type) const {
  return llvm::FixedVectorType::get(type, plan_.width);
}

llvm::Value* VectorValues::splat(llvm::Value* value) {
  return builder_.CreateVectorSplat(plan_.width, value);
}

unsigned VectorValues::row_count(const llvm::Value& value) const {
  return shapes_.differs_by_row(value) ? plan_.rows : 1;
}

llvm::Value* VectorValues::scalar(const llvm::Value& value, unsigned row) {
  const auto found = values_.find(&value);
  if (found == values_.end())
    return const_cast<llvm::Value*>(&value); // a constant
  return found->second.at(row);
}

llvm::Value* VectorValues::extract_component(llvm::Value* value, unsigned component) {
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

llvm::Value* VectorValues::strided_lanes(llvm::Value* first, Stride stride) {
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

llvm::Value* VectorValues::lanes(const llvm::Value& value, unsigned row, unsigned component) {
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
    if (wide.kind == VectorValue::Kind::affine)
      made = strided_lanes(wide.at(row), wide.stride);
    else
      made = splat(extract_component(wide.at(row), component));
  }
  return made;
}

VectorValue& VectorValues::define(const llvm::Value& value, VectorValue::Kind kind) {
  auto& wide = values_[&value];
  wide.kind = kind;
  wide.by_row = shapes_.differs_by_row(value);
  if (kind == VectorValue::Kind::affine)
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

} // namespace heddle::compiler
