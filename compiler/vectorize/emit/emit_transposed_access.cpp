// Accesses with a large stride between lanes and consecutive addresses between rows (sub-groups
// with consecutive y that run interleaved): one vector access per lane moves the elements of all
// rows, and the vectors are transposed in registers.
#include "compiler/vectorize/emit/emitter.h"

namespace heddle::compiler {

// Each lane's address.
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
  auto* type = llvm::FixedVectorType::get(load.getType(), plan_.rows);
  llvm::SmallVector<llvm::Value*, 64> parts;
  for (auto* address : lane_addresses(*load.getPointerOperand(), 0)) {
    auto* made = builder_.CreateAlignedLoad(type, address, load.getAlign());
    made->copyMetadata(load, {llvm::LLVMContext::MD_tbaa, llvm::LLVMContext::MD_alias_scope,
                              llvm::LLVMContext::MD_noalias, llvm::LLVMContext::MD_invariant_load});
    parts.push_back(made);
  }
  // Interleaves lane i with lane i + half until the lanes of each row are consecutive.
  while (parts.size() > 1) {
    const auto half = parts.size() / 2;
    for (std::size_t i = 0; i < half; ++i)
      parts[i] = interleave_pair(parts[i], parts[i + half]);
    parts.resize(half);
  }
  for (unsigned row = 0; row < plan_.rows; ++row)
    result.at(row) = extract_subvector(parts.front(), row * plan_.width, plan_.width);
}

void Emitter::store_transposed(const llvm::StoreInst& store) {
  const auto& value = *store.getValueOperand();
  llvm::SmallVector<llvm::Value*, 64> parts;
  for (unsigned row = 0; row < plan_.rows; ++row)
    parts.push_back(lanes(value, row));
  // Interleaves row i with row i + half until the rows of each lane are consecutive.
  while (parts.size() > 1) {
    const auto half = parts.size() / 2;
    for (std::size_t i = 0; i < half; ++i)
      parts[i] = interleave_pair(parts[i], parts[i + half]);
    parts.resize(half);
  }
  const auto addresses = lane_addresses(*store.getPointerOperand(), 0);
  for (unsigned lane = 0; lane < plan_.width; ++lane) {
    auto* made =
        builder_.CreateAlignedStore(extract_subvector(parts.front(), lane * plan_.rows, plan_.rows),
                                    addresses[lane], store.getAlign());
    made->copyMetadata(store, {llvm::LLVMContext::MD_tbaa, llvm::LLVMContext::MD_alias_scope,
                               llvm::LLVMContext::MD_noalias});
  }
}

// Elements first to first + count - 1.
llvm::Value* Emitter::extract_subvector(llvm::Value* vector, unsigned first, unsigned count) {
  llvm::SmallVector<int, 64> order;
  for (unsigned i = 0; i < count; ++i)
    order.push_back(static_cast<int>(first + i));
  return builder_.CreateShuffleVector(vector, order);
}

// a0 b0 a1 b1 ...
llvm::Value* Emitter::interleave_pair(llvm::Value* a, llvm::Value* b) {
  const auto count = llvm::cast<llvm::FixedVectorType>(a->getType())->getNumElements();
  llvm::SmallVector<int, 128> order;
  for (unsigned i = 0; i < count; ++i) {
    order.push_back(static_cast<int>(i));
    order.push_back(static_cast<int>(count + i));
  }
  return builder_.CreateShuffleVector(a, b, order);
}

} // namespace heddle::compiler
