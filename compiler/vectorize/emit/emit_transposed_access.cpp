// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/emit/emit_transposed_access.h"

#include "compiler/vectorize/emit/lane_shuffles.h"

namespace heddle::compiler {

// Interleaves part i with part i + half until one vector is left: the transposed matrix, row by
// row.
llvm::Value* TransposedAccessEmitter::transpose(llvm::SmallVectorImpl<llvm::Value*>& parts) {
  while (parts.size() > 1) {
    const auto half = parts.size() / 2;
    for (std::size_t i = 0; i < half; ++i)
      parts[i] = interleave_pair(builder_, parts[i], parts[i + half]);
    parts.resize(half);
  }
  return parts.front();
}

void TransposedAccessEmitter::load(const llvm::LoadInst& load, VectorValue& result) {
  auto* type = llvm::FixedVectorType::get(load.getType(), plan_.rows);
  llvm::SmallVector<llvm::Value*, 64> parts;
  for (auto* address : addresses_.lane_addresses(*load.getPointerOperand(), 0)) {
    auto* made = builder_.CreateAlignedLoad(type, address, load.getAlign());
    made->copyMetadata(load, {llvm::LLVMContext::MD_tbaa, llvm::LLVMContext::MD_alias_scope,
                              llvm::LLVMContext::MD_noalias, llvm::LLVMContext::MD_invariant_load});
    parts.push_back(made);
  }
  auto* by_row = transpose(parts);
  for (unsigned row = 0; row < plan_.rows; ++row)
    result.at(row) = extract_subvector(builder_, by_row, row * plan_.width, plan_.width);
}

void TransposedAccessEmitter::store(const llvm::StoreInst& store) {
  const auto& value = *store.getValueOperand();
  llvm::SmallVector<llvm::Value*, 64> parts;
  for (unsigned row = 0; row < plan_.rows; ++row)
    parts.push_back(lanes(value, row));
  auto* by_lane = transpose(parts);
  const auto addresses = addresses_.lane_addresses(*store.getPointerOperand(), 0);
  for (unsigned lane = 0; lane < plan_.width; ++lane) {
    auto* made = builder_.CreateAlignedStore(
        extract_subvector(builder_, by_lane, lane * plan_.rows, plan_.rows), addresses[lane],
        store.getAlign());
    made->copyMetadata(store, {llvm::LLVMContext::MD_tbaa, llvm::LLVMContext::MD_alias_scope,
                               llvm::LLVMContext::MD_noalias});
  }
}

} // namespace heddle::compiler
