// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/emit/emit_parameters.h"

#include "compiler/ir/abi_builder.h"
#include "compiler/ir/work_item_params.h"

namespace heddle::compiler {

void ParameterEmitter::emit() {
  for (const auto& argument : kernel_.args()) {
    auto& wide = values_[argument];
    wide.kind = VectorValue::Kind::uniform;
    wide.parts = {context_.parameter(argument)};
  }
  if (plan_.mapping == LaneMapping::linear)
    emit_linear_ids();
  else
    emit_row_ids();
  emit_entry_masks();
}

void ParameterEmitter::emit_row_ids() {
  const auto params = work_item_params(kernel_);
  auto& x = values_[*params.local_id[0]];
  x.kind = VectorValue::Kind::affine;
  x.stride = 1;
  if (plan_.rows == 1)
    return;
  auto* first_y = work_item_params(context_.function()).local_id[1];
  auto& y = values_[*params.local_id[1]];
  y.by_row = true;
  y.parts = {first_y};
  for (unsigned row = 1; row < plan_.rows; ++row)
    y.parts.push_back(builder_.CreateAdd(first_y, builder_.getInt64(row)));
}

void ParameterEmitter::emit_linear_ids() {
  const auto params = work_item_params(kernel_);
  for (unsigned dimension = 0; dimension < 3; ++dimension)
    values_[*params.local_id[dimension]] = linear_ids(dimension);
}

// Local ids in one dimension from linear local ids. Groups have at most 4096 work-items, so that a
// single-precision division is exact enough.
VectorValue ParameterEmitter::linear_ids(unsigned dimension) {
  const auto divide = [&](llvm::Value* a, llvm::Value* b) -> llvm::Value* {
    auto* floats = widened(builder_.getFloatTy());
    auto* half = llvm::ConstantFP::get(floats, 0.5);
    auto* quotient =
        builder_.CreateFDiv(builder_.CreateFAdd(builder_.CreateUIToFP(a, floats), half),
                            builder_.CreateUIToFP(b, floats));
    return builder_.CreateFPToUI(quotient, a->getType());
  };
  auto* first = builder_.CreateTrunc(work_item_params(context_.function()).local_id[0],
                                     builder_.getInt32Ty());
  auto* linear = values_.strided_lanes(first, 1);
  auto* size_x = group_size(0);
  auto* row = divide(linear, size_x);
  llvm::Value* id = nullptr;
  if (dimension == 0) {
    id = builder_.CreateSub(linear, builder_.CreateMul(row, size_x));
  } else {
    auto* size_y = group_size(1);
    auto* plane = divide(row, size_y);
    id = dimension == 2 ? plane : builder_.CreateSub(row, builder_.CreateMul(plane, size_y));
  }
  VectorValue wide;
  wide.parts = {builder_.CreateZExt(id, widened(builder_.getInt64Ty()))};
  return wide;
}

// The local size, as a vector of i32.
llvm::Value* ParameterEmitter::group_size(unsigned dimension) {
  auto* address = builder_.CreateConstInBoundsGEP1_64(
      builder_.getInt8Ty(), work_item_params(context_.function()).group,
      offsetof(abi::Group, local_size) + 8 * dimension);
  auto* size = builder_.CreateAlignedLoad(builder_.getInt64Ty(), address, llvm::Align(8));
  return splat(builder_.CreateTrunc(size, builder_.getInt32Ty()));
}

void ParameterEmitter::emit_entry_masks() {
  Masks masks(plan_.rows, nullptr);
  if (plan_.masked) {
    llvm::SmallVector<llvm::Constant*, 64> numbers;
    for (unsigned i = 0; i < plan_.width; ++i)
      numbers.push_back(builder_.getInt32(i));
    auto* count = builder_.CreateTrunc(context_.active_count(), builder_.getInt32Ty());
    auto* active =
        builder_.CreateICmpULT(llvm::ConstantVector::get(numbers), splat(count), "active");
    for (auto& mask : masks)
      mask = active;
  }
  masks_.set_block_masks(kernel_.getEntryBlock(), masks);
}

} // namespace heddle::compiler
