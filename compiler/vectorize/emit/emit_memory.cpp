// Loads, stores and private variables.
#include "compiler/vectorize/analysis/interleave_private_arrays.h"
#include "compiler/vectorize/analysis/transposed_access.h"
#include "compiler/vectorize/emit/emitter.h"
#include "compiler/x86/coalesce_gathers.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

namespace heddle::compiler {
namespace {

// Whether the value is computed from ids and what all lanes share.
bool is_computed_from_ids(const llvm::Value& value, const LaneShapes& shapes, unsigned depth = 0) {
  constexpr unsigned kDeepest = 12;
  if (shapes.is_uniform(value) || shapes.stride(value))
    return true;
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  return instruction != nullptr && depth < kDeepest &&
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

// The value of the last active lane: what is left of several stores to one place.
llvm::Value* Emitter::last_active(llvm::Value* vector, unsigned row) {
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
    remark(load, "lane by lane", "volatile and atomic accesses are done one work-item at a time");
    return emit_lane_by_lane(load);
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
      load_components(load, row, wide);
  values_[&load] = std::move(wide);
}

void Emitter::load_components(const llvm::LoadInst& load, unsigned row, VectorValue& result) {
  const auto& address = *load.getPointerOperand();
  const auto stride = shapes_.stride(address);
  const auto count = result.components;
  if (stride && *stride == 0) {
    // One place whose contents differ between lanes in name only.
    auto* whole = clone_scalar(load, row);
    for (unsigned c = 0; c < count; ++c)
      result.at(row, c) = splat(component_of(whole, c));
    return;
  }
  if (stride && line_access(load.getType(), *stride, false) != LineAccess::none)
    return load_line(load, row, *stride, scalar(address, row), result);
  // Far apart at a fixed step: loads of one element each, whose places are known, are faster than a
  // gather, which has to take addresses out of a vector first.
  if (is_line_of_lanes(address, row)) {
    if (load_pieces(load, row, result))
      return;
    remark(load, "one load for each lane", "work-items read places that are far apart");
    auto* first = scalar(address, row);
    for (unsigned c = 0; c < count; ++c) {
      auto* type = component_type(load.getType(), c);
      const auto offset = static_cast<std::int64_t>(component_offset(load.getType(), c, layout_));
      llvm::Value* all = llvm::PoisonValue::get(widened(type));
      for (unsigned lane = 0; lane < plan_.width; ++lane) {
        const auto place = offset + *stride * static_cast<std::int64_t>(lane);
        auto* made = builder_.CreateAlignedLoad(
            type, offset_address(first, place),
            llvm::commonAlignment(load.getAlign(), static_cast<std::uint64_t>(place)));
        made->copyMetadata(load, {llvm::LLVMContext::MD_tbaa, llvm::LLVMContext::MD_alias_scope,
                                  llvm::LLVMContext::MD_noalias});
        all = builder_.CreateInsertElement(all, made, lane);
      }
      result.at(row, c) = all;
    }
    return;
  }
  const auto gather = [&] {
    if (load_pieces(load, row, result))
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
  if (is_checked(load) && !gathers_) {
    const auto likely = shapes_.likely_stride(address);
    remark(load, "checked load",
           "only at run time it is seen whether work-items read side by side");
    if (checks_failed_ != nullptr) {
      auto* together = new_block("together");
      auto* first = branch_on_line(address, *likely, row, together, checks_failed_);
      builder_.SetInsertPoint(together);
      load_line(load, row, *likely, first, result);
      return;
    }
    auto* together = new_block("together");
    auto* apart = new_block("apart");
    auto* loaded = new_block("loaded");
    auto* first = branch_on_line(address, *likely, row, together, apart);
    builder_.SetInsertPoint(together);
    load_line(load, row, *likely, first, result);
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
  remark(load, is_gathered(load, row) ? "gather" : "one load for each lane",
         stride ? "work-items read places that are far apart"
                : "the address is not a fixed step from one work-item to the next");
  gather();
}

void Emitter::emit_store(const llvm::StoreInst& store) {
  const auto& address = *store.getPointerOperand();
  const auto& value = *store.getValueOperand();
  if (store.isVolatile() || store.isAtomic()) {
    remark(store, "lane by lane", "volatile and atomic accesses are done one work-item at a time");
    return emit_lane_by_lane(store);
  }
  const auto differs = [&](const llvm::Value& operand) {
    const auto found = values_.find(&operand);
    return found != values_.end() && found->second.by_row;
  };
  if (plan_.rows > 1 && mask(0) == nullptr && is_transposed(store, shapes_))
    return store_transposed(store);
  const auto rows = differs(address) || differs(value) ? plan_.rows : 1;
  for (unsigned row = 0; row < rows; ++row) {
    if (!shapes_.is_uniform(address)) {
      store_components(store, row);
    } else if (shapes_.is_uniform(value)) {
      clone_scalar(store, row);
    } else {
      auto* type = value.getType();
      for (unsigned c = 0; c < component_count(type); ++c) {
        const auto offset = component_offset(type, c, layout_);
        builder_.CreateAlignedStore(
            last_active(lanes(value, row, c), row),
            offset_address(scalar(address, row), static_cast<std::int64_t>(offset)),
            llvm::commonAlignment(store.getAlign(), offset));
      }
    }
  }
}

void Emitter::store_components(const llvm::StoreInst& store, unsigned row) {
  const auto& address = *store.getPointerOperand();
  const auto& value = *store.getValueOperand();
  auto* type = value.getType();
  const auto count = component_count(type);
  const auto stride = shapes_.stride(address);
  if (stride && line_access(type, *stride, true) != LineAccess::none)
    return store_line(store, row, *stride, scalar(address, row));
  const auto scatter = [&] {
    if (store_pieces(store, row))
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
  if (likely && line_access(type, *likely, true) != LineAccess::none) {
    remark(store, "checked store",
           "only at run time it is seen whether work-items write side by side");
    auto* together = new_block("together");
    auto* apart = new_block("apart");
    auto* stored = new_block("stored");
    auto* first = branch_on_line(address, *likely, row, together, apart);
    builder_.SetInsertPoint(together);
    store_line(store, row, *likely, first);
    builder_.CreateBr(stored);
    builder_.SetInsertPoint(apart);
    scatter();
    builder_.CreateBr(stored);
    builder_.SetInsertPoint(stored);
    return;
  }
  remark(store, is_scattered(store, row) ? "scatter" : "one store for each lane",
         stride ? "work-items write to places that are far apart"
                : "the address is not a fixed step from one work-item to the next");
  scatter();
}

// One after the other for all lanes.
void Emitter::emit_variable(const llvm::AllocaInst& variable) {
  auto& wide = define(variable, VectorValue::Kind::line);
  const auto size = static_cast<std::uint64_t>(bytes_per_lane(variable));
  auto* type = llvm::ArrayType::get(builder_.getInt8Ty(), size * plan_.width * plan_.rows);
  auto* made = this->variable(type, variable.getName());
  made->setAlignment(std::max(variable.getAlign(), llvm::Align(64)));
  for (unsigned row = 0; row < (wide.by_row ? plan_.rows : 1); ++row)
    wide.at(row) =
        builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), made, row * plan_.width * size);
}

} // namespace heddle::compiler
