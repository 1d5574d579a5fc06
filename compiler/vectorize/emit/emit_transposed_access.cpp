// Accesses that are far apart from lane to lane, and side by side from row to row: a block of rows
// moves one piece for each lane, and the pieces are transposed in registers.
#include "compiler/vectorize/emit/emitter.h"

namespace heddle::compiler {

// Where each lane's piece is.
llvm::SmallVector<llvm::Value*, 64> Emitter::lane_addresses(const llvm::Value& address,
                                                            unsigned row) {
  llvm::SmallVector<llvm::Value*, 64> result;
  const auto stride = shapes_.stride(address);
  for (unsigned lane = 0; lane < plan_.width; ++lane)
    result.push_back(stride ? offset_address(scalar(address, row), *stride * lane)
                            : lane_address(address, row, lane, 0));
  return result;
}

void Emitter::load_transposed(const llvm::LoadInst& load, VectorValue& result) {
  auto* piece = llvm::FixedVectorType::get(load.getType(), plan_.rows);
  llvm::SmallVector<llvm::Value*, 64> parts;
  for (auto* address : lane_addresses(*load.getPointerOperand(), 0)) {
    auto* made = builder_.CreateAlignedLoad(piece, address, load.getAlign());
    made->copyMetadata(load, {llvm::LLVMContext::MD_tbaa, llvm::LLVMContext::MD_alias_scope,
                              llvm::LLVMContext::MD_noalias, llvm::LLVMContext::MD_invariant_load});
    parts.push_back(made);
  }
  // Lane i next to lane i + half, until all lanes of a row are side by side.
  while (parts.size() > 1) {
    const auto half = parts.size() / 2;
    for (std::size_t i = 0; i < half; ++i)
      parts[i] = zip(parts[i], parts[i + half]);
    parts.resize(half);
  }
  for (unsigned row = 0; row < plan_.rows; ++row)
    result.at(row) = slice(parts.front(), row * plan_.width, plan_.width);
}

void Emitter::store_transposed(const llvm::StoreInst& store) {
  const auto& value = *store.getValueOperand();
  llvm::SmallVector<llvm::Value*, 64> parts;
  for (unsigned row = 0; row < plan_.rows; ++row)
    parts.push_back(lanes(value, row));
  // Row i next to row i + half, and so on: each lane's rows are side by side in the end.
  while (parts.size() > 1) {
    const auto half = parts.size() / 2;
    for (std::size_t i = 0; i < half; ++i)
      parts[i] = zip(parts[i], parts[i + half]);
    parts.resize(half);
  }
  const auto addresses = lane_addresses(*store.getPointerOperand(), 0);
  for (unsigned lane = 0; lane < plan_.width; ++lane) {
    auto* made = builder_.CreateAlignedStore(slice(parts.front(), lane * plan_.rows, plan_.rows),
                                             addresses[lane], store.getAlign());
    made->copyMetadata(store, {llvm::LLVMContext::MD_tbaa, llvm::LLVMContext::MD_alias_scope,
                               llvm::LLVMContext::MD_noalias});
  }
}

llvm::Value* Emitter::slice(llvm::Value* vector, unsigned first, unsigned count) {
  llvm::SmallVector<int, 64> order;
  for (unsigned i = 0; i < count; ++i)
    order.push_back(static_cast<int>(first + i));
  return builder_.CreateShuffleVector(vector, order);
}

// a0 b0 a1 b1 ...
llvm::Value* Emitter::zip(llvm::Value* a, llvm::Value* b) {
  const auto count = llvm::cast<llvm::FixedVectorType>(a->getType())->getNumElements();
  llvm::SmallVector<int, 128> order;
  for (unsigned i = 0; i < count; ++i) {
    order.push_back(static_cast<int>(i));
    order.push_back(static_cast<int>(count + i));
  }
  return builder_.CreateShuffleVector(a, b, order);
}

} // namespace heddle::compiler
