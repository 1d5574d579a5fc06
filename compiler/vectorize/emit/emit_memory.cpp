// Loads, stores and private variables: chooses how each is accessed.
#include "compiler/vectorize/analysis/interleave_private_arrays.h"
#include "compiler/vectorize/analysis/transposed_access.h"
#include "compiler/vectorize/emit/emitter.h"
#include "compiler/x86/coalesce_gathers.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

namespace heddle::compiler {
namespace {

// Whether the value is computed from affine and uniform values only.
bool is_computed_from_ids(const llvm::Value& value, const LaneShapes& shapes, unsigned depth = 0) {
  constexpr unsigned kMaxDepth = 12;
  if (shapes.is_uniform(value) || shapes.stride(value))
    return true;
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  return instruction != nullptr && depth < kMaxDepth &&
         llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::GetElementPtrInst,
                   llvm::MinMaxIntrinsic>(instruction) &&
         llvm::all_of(instruction->operands(), [&](const llvm::Use& operand) {
           return is_computed_from_ids(*operand, shapes, depth + 1);
         });
}

} // namespace

llvm::Value* Emitter::offset_address(llvm::Value* address, std::int64_t bytes) {
  return bytes == 0 ? address
                    : builder_.CreateGEP(builder_.getInt8Ty(), address, builder_.getInt64(bytes));
}

// The value of the last active lane: what memory holds after all lanes have stored to one address.
llvm::Value* Emitter::last_active_value(llvm::Value* vector, unsigned row) {
  if (mask(row) == nullptr)
    return builder_.CreateExtractElement(vector, plan_.width - 1);
  auto* bits = builder_.CreateZExt(
      builder_.CreateBitCast(mask(row), builder_.getIntNTy(plan_.width)), builder_.getInt64Ty());
  auto* zeros = builder_.CreateIntrinsic(llvm::Intrinsic::ctlz, {builder_.getInt64Ty()},
                                         {bits, builder_.getFalse()});
  auto* last =
      builder_.CreateAnd(builder_.CreateSub(builder_.getInt64(63), zeros), plan_.width - 1);
  return builder_.CreateExtractElement(vector, last);
}

void Emitter::emit_load(const llvm::LoadInst& load) {
  const auto& address = *load.getPointerOperand();
  if (load.isVolatile() || load.isAtomic()) {
    remark(load, "scalarized", "volatile and atomic accesses are executed one work-item at a time");
    return emit_scalarized(load);
  }
  if (shapes_.is_uniform(load) && shapes_.is_uniform(address))
    return emit_uniform(load);
  auto wide = define(load, VectorValue::Kind::lanes);
  wide.by_row |= plan_.rows > 1 && mask(0) != nullptr;
  wide.parts.assign((wide.by_row ? plan_.rows : 1) * wide.components, nullptr);
  if (plan_.rows > 1 && mask(0) == nullptr && is_transposed(load, shapes_))
    load_transposed(load, wide);
  else
    for (unsigned row = 0; row < (wide.by_row ? plan_.rows : 1); ++row)
      load_row(load, row, wide);
  values_[&load] = std::move(wide);
}

void Emitter::load_row(const llvm::LoadInst& load, unsigned row, VectorValue& result) {
  const auto& address = *load.getPointerOperand();
  const auto stride = shapes_.stride(address);
  const auto count = result.components;
  if (stride && *stride == 0) {
    // The address is uniform, though the value is not known to be.
    auto* loaded = clone_scalar(load, row);
    for (unsigned c = 0; c < count; ++c)
      result.at(row, c) = splat(extract_component(loaded, c));
    return;
  }
  if (stride && strided_access(load.getType(), *stride, false) != StridedAccess::none)
    return load_strided(load, row, *stride, scalar(address, row), result);
  // Large constant stride: one scalar load per lane from an address that is known is faster than a
  // gather, for which the addresses are extracted from a vector.
  if (has_strided_addresses(address, row)) {
    if (load_aos(load, row, result))
      return;
    remark(load, "one load per lane", "work-items read addresses that are far apart");
    auto* first = scalar(address, row);
    for (unsigned c = 0; c < count; ++c) {
      auto* type = component_type(load.getType(), c);
      const auto offset = static_cast<std::int64_t>(component_offset(load.getType(), c, layout_));
      llvm::Value* all = llvm::PoisonValue::get(widened(type));
      for (unsigned lane = 0; lane < plan_.width; ++lane) {
        const auto lane_offset = offset + *stride * static_cast<std::int64_t>(lane);
        auto* made = builder_.CreateAlignedLoad(
            type, offset_address(first, lane_offset),
            llvm::commonAlignment(load.getAlign(), static_cast<std::uint64_t>(lane_offset)));
        made->copyMetadata(load, {llvm::LLVMContext::MD_tbaa, llvm::LLVMContext::MD_alias_scope,
                                  llvm::LLVMContext::MD_noalias});
        all = builder_.CreateInsertElement(all, made, lane);
      }
      result.at(row, c) = all;
    }
    return;
  }
  const auto gather = [&] {
    if (load_aos(load, row, result))
      return;
    auto* addresses = lanes(address, row);
    for (unsigned c = 0; c < count; ++c) {
      auto* type = component_type(load.getType(), c);
      const auto offset = static_cast<std::int64_t>(component_offset(load.getType(), c, layout_));
      auto* made = builder_.CreateMaskedGather(
          widened(type), offset_address(addresses, offset),
          llvm::commonAlignment(load.getAlign(), static_cast<std::uint64_t>(offset)),
          mask_or_all(row));
      made->copyMetadata(load, {llvm::LLVMContext::MD_tbaa, llvm::LLVMContext::MD_alias_scope,
                                llvm::LLVMContext::MD_noalias});
      if (count == 1 && is_computed_from_ids(address, shapes_))
        mark_as_orderly(*made);
      result.at(row, c) = made;
    }
  };
  if (is_speculative(load) && !forces_gathers_) {
    const auto likely = shapes_.likely_stride(address);
    remark(load, "speculative load",
           "whether work-items read consecutive addresses is known only at run time");
    if (speculation_failed_ != nullptr) {
      auto* together = new_block("together");
      auto* first = branch_on_likely_stride(address, *likely, row, together, speculation_failed_);
      builder_.SetInsertPoint(together);
      load_strided(load, row, *likely, first, result);
      return;
    }
    auto* together = new_block("together");
    auto* apart = new_block("apart");
    auto* loaded = new_block("loaded");
    auto* first = branch_on_likely_stride(address, *likely, row, together, apart);
    builder_.SetInsertPoint(together);
    load_strided(load, row, *likely, first, result);
    llvm::SmallVector<llvm::Value*, 4> wide;
    for (unsigned c = 0; c < count; ++c)
      wide.push_back(result.at(row, c));
    together = builder_.GetInsertBlock();
    builder_.CreateBr(loaded);
    builder_.SetInsertPoint(apart);
    gather();
    builder_.CreateBr(loaded);
    builder_.SetInsertPoint(loaded);
    for (unsigned c = 0; c < count; ++c) {
      auto* phi = builder_.CreatePHI(wide[c]->getType(), 2);
      phi->addIncoming(wide[c], together);
      phi->addIncoming(result.at(row, c), apart);
      result.at(row, c) = phi;
    }
    return;
  }
  remark(load, is_gathered(load, row) ? "gather" : "one load per lane",
         stride ? "work-items read addresses that are far apart"
                : "the address has no constant stride between work-items");
  gather();
}

void Emitter::emit_store(const llvm::StoreInst& store) {
  const auto& address = *store.getPointerOperand();
  const auto& value = *store.getValueOperand();
  if (store.isVolatile() || store.isAtomic()) {
    remark(store, "scalarized",
           "volatile and atomic accesses are executed one work-item at a time");
    return emit_scalarized(store);
  }
  const auto differs_by_row = [&](const llvm::Value& operand) {
    const auto found = values_.find(&operand);
    return found != values_.end() && found->second.by_row;
  };
  if (plan_.rows > 1 && mask(0) == nullptr && is_transposed(store, shapes_))
    return store_transposed(store);
  const auto rows = differs_by_row(address) || differs_by_row(value) ? plan_.rows : 1;
  for (unsigned row = 0; row < rows; ++row) {
    if (!shapes_.is_uniform(address)) {
      store_row(store, row);
    } else if (shapes_.is_uniform(value)) {
      clone_scalar(store, row);
    } else {
      auto* type = value.getType();
      for (unsigned c = 0; c < component_count(type); ++c) {
        const auto offset = component_offset(type, c, layout_);
        builder_.CreateAlignedStore(
            last_active_value(lanes(value, row, c), row),
            offset_address(scalar(address, row), static_cast<std::int64_t>(offset)),
            llvm::commonAlignment(store.getAlign(), offset));
      }
    }
  }
}

void Emitter::store_row(const llvm::StoreInst& store, unsigned row) {
  const auto& address = *store.getPointerOperand();
  const auto& value = *store.getValueOperand();
  auto* type = value.getType();
  const auto count = component_count(type);
  const auto stride = shapes_.stride(address);
  if (stride && strided_access(type, *stride, true) != StridedAccess::none)
    return store_strided(store, row, *stride, scalar(address, row));
  const auto scatter = [&] {
    if (store_aos(store, row))
      return;
    auto* addresses = lanes(address, row);
    for (unsigned c = 0; c < count; ++c) {
      const auto offset = component_offset(type, c, layout_);
      auto* made = builder_.CreateMaskedScatter(
          lanes(value, row, c), offset_address(addresses, static_cast<std::int64_t>(offset)),
          llvm::commonAlignment(store.getAlign(), offset), mask_or_all(row));
      made->copyMetadata(store, {llvm::LLVMContext::MD_tbaa, llvm::LLVMContext::MD_alias_scope,
                                 llvm::LLVMContext::MD_noalias});
      if (count == 1 && is_computed_from_ids(address, shapes_))
        mark_as_orderly(*made);
    }
  };
  const auto likely = shapes_.likely_stride(address);
  if (likely && strided_access(type, *likely, true) != StridedAccess::none) {
    remark(store, "speculative store",
           "whether work-items write to consecutive addresses is known only at run time");
    auto* together = new_block("together");
    auto* apart = new_block("apart");
    auto* stored = new_block("stored");
    auto* first = branch_on_likely_stride(address, *likely, row, together, apart);
    builder_.SetInsertPoint(together);
    store_strided(store, row, *likely, first);
    builder_.CreateBr(stored);
    builder_.SetInsertPoint(apart);
    scatter();
    builder_.CreateBr(stored);
    builder_.SetInsertPoint(stored);
    return;
  }
  remark(store, is_scattered(store, row) ? "scatter" : "one store per lane",
         stride ? "work-items write to addresses that are far apart"
                : "the address has no constant stride between work-items");
  scatter();
}

// The variables of all lanes, one after the other.
void Emitter::emit_alloca(const llvm::AllocaInst& variable) {
  auto& wide = define(variable, VectorValue::Kind::line);
  const auto size = static_cast<std::uint64_t>(bytes_per_lane(variable));
  auto* type = llvm::ArrayType::get(builder_.getInt8Ty(), size * plan_.width * plan_.rows);
  auto* made = this->create_entry_alloca(type, variable.getName());
  made->setAlignment(std::max(variable.getAlign(), llvm::Align(64)));
  for (unsigned row = 0; row < (wide.by_row ? plan_.rows : 1); ++row)
    wide.at(row) =
        builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), made, row * plan_.width * size);
}

} // namespace heddle::compiler
