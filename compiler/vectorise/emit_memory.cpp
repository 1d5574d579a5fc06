// Loads, stores and private variables.
#include "compiler/vectorise/emitter.h"
#include "llvm/IR/Operator.h"

namespace heddle::compiler {
namespace {

// A load of every k-th element is one wide load and a shuffle up to this k.
constexpr Stride kLargestSkip = 4;

} // namespace

llvm::Value* Emitter::offset_address(llvm::Value* address, std::int64_t bytes) {
  return bytes == 0 ? address
                    : builder_.CreateGEP(builder_.getInt8Ty(), address, builder_.getInt64(bytes));
}

llvm::Value* Emitter::reversed(llvm::Value* vector) { return builder_.CreateVectorReverse(vector); }

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

llvm::Value* Emitter::wide_load(const llvm::LoadInst& load, llvm::Value* address,
                                llvm::Type* element, unsigned count, llvm::Value* mask,
                                llvm::Align align) {
  auto* type = llvm::FixedVectorType::get(element, count);
  auto* made =
      mask == nullptr
          ? static_cast<llvm::Instruction*>(builder_.CreateAlignedLoad(type, address, align))
          : builder_.CreateMaskedLoad(type, address, align, mask);
  made->copyMetadata(load, {llvm::LLVMContext::MD_tbaa, llvm::LLVMContext::MD_alias_scope,
                            llvm::LLVMContext::MD_noalias, llvm::LLVMContext::MD_nontemporal,
                            llvm::LLVMContext::MD_invariant_load});
  return made;
}

void Emitter::wide_store(const llvm::StoreInst& store, llvm::Value* value, llvm::Value* address,
                         llvm::Value* mask, llvm::Align align) {
  auto* made =
      mask == nullptr
          ? static_cast<llvm::Instruction*>(builder_.CreateAlignedStore(value, address, align))
          : builder_.CreateMaskedStore(value, address, align, mask);
  made->copyMetadata(store, {llvm::LLVMContext::MD_tbaa, llvm::LLVMContext::MD_alias_scope,
                             llvm::LLVMContext::MD_noalias, llvm::LLVMContext::MD_nontemporal});
}

llvm::Value* Emitter::are_consecutive(llvm::Value* addresses, Stride size, unsigned row) {
  auto* expected = spread(builder_.CreateExtractElement(addresses, std::uint64_t{0}), size);
  auto* differs = builder_.CreateICmpNE(addresses, expected);
  if (mask(row) != nullptr)
    differs = builder_.CreateAnd(differs, mask(row));
  auto* bits = builder_.CreateBitCast(differs, builder_.getIntNTy(plan_.width));
  return builder_.CreateICmpEQ(bits, llvm::Constant::getNullValue(bits->getType()), "consecutive");
}

void Emitter::emit_load(const llvm::LoadInst& load) {
  const auto& address = *load.getPointerOperand();
  if (load.isVolatile() || load.isAtomic()) {
    remark(load, "lane by lane", "volatile and atomic accesses are done one work-item at a time");
    return emit_lane_loop(load);
  }
  if (shapes_.is_uniform(load) && shapes_.is_uniform(address))
    return emit_uniform(load);
  auto wide = define(load, Wide::Kind::lanes);
  wide.by_row |= plan_.rows > 1 && mask(0) != nullptr;
  wide.parts.assign((wide.by_row ? plan_.rows : 1) * wide.components, nullptr);
  for (unsigned row = 0; row < (wide.by_row ? plan_.rows : 1); ++row)
    load_components(load, row, wide);
  values_[&load] = std::move(wide);
}

void Emitter::load_components(const llvm::LoadInst& load, unsigned row, Wide& result) {
  const auto& address = *load.getPointerOperand();
  const auto stride = shapes_.stride(address);
  auto* element = component_type(load.getType(), 0);
  const auto count = result.components;
  const bool is_packed =
      !load.getType()->isAggregateType() && layout_.typeSizeEqualsStoreSize(element) &&
      layout_.getTypeSizeInBits(element) == layout_.getTypeAllocSizeInBits(element);
  const auto size = static_cast<Stride>(layout_.getTypeStoreSize(element).getFixedValue());
  const auto align = llvm::commonAlignment(load.getAlign(), static_cast<std::uint64_t>(size));
  if (stride && is_packed) {
    if (*stride == size && count == 1) {
      result.at(row) =
          wide_load(load, scalar(address, row), element, plan_.width, mask(row), align);
      return;
    }
    if (*stride == -size && count == 1) {
      auto* lowest = offset_address(scalar(address, row), -size * (plan_.width - 1));
      auto* part = mask(row) ? reversed(mask(row)) : nullptr;
      result.at(row) = reversed(wide_load(load, lowest, element, plan_.width, part, align));
      return;
    }
    // Every work-item reads `count` of the `skip` elements from its place on.
    const auto skip = *stride / size;
    const bool is_near = *stride % size == 0 && skip >= count && skip > 1 &&
                         (skip <= kLargestSkip || skip <= 2 * static_cast<Stride>(count)) &&
                         skip * plan_.width <= 256 && size >= 4;
    if (is_near) {
      const auto total = static_cast<unsigned>(skip) * plan_.width;
      llvm::Value* part = nullptr;
      if (mask(row) != nullptr || count != static_cast<unsigned>(skip)) {
        auto* own = mask_or_all(row);
        auto* none = llvm::Constant::getNullValue(own->getType());
        llvm::SmallVector<llvm::Value*, 16> masks(static_cast<std::size_t>(skip), none);
        std::fill_n(masks.begin(), count, own);
        part = interleave(masks);
      }
      auto* all = wide_load(load, scalar(address, row), element, total, part, align);
      for (unsigned c = 0; c < count; ++c)
        result.at(row, c) = deinterleave(all, static_cast<unsigned>(skip), c);
      return;
    }
  }
  if (stride && *stride == 0) {
    // One place whose contents differ between lanes in name only.
    auto* whole = clone_scalar(load, row);
    for (unsigned c = 0; c < count; ++c)
      result.at(row, c) = splat(component_of(whole, c));
    return;
  }
  auto* addresses = lanes(address, row);
  const auto gather = [&] {
    llvm::SmallVector<llvm::Value*, 4> parts;
    for (unsigned c = 0; c < count; ++c) {
      auto* type = component_type(load.getType(), c);
      const auto offset = static_cast<std::int64_t>(component_offset(load.getType(), c, layout_));
      auto* made = builder_.CreateMaskedGather(
          widened(type), offset_address(addresses, offset),
          llvm::commonAlignment(load.getAlign(), static_cast<std::uint64_t>(offset)),
          mask_or_all(row));
      made->copyMetadata(load, {llvm::LLVMContext::MD_tbaa, llvm::LLVMContext::MD_alias_scope,
                                llvm::LLVMContext::MD_noalias});
      parts.push_back(made);
    }
    return parts;
  };
  if (is_packed && count == 1 && shapes_.likely_stride(address) == size) {
    remark(load, "checked load",
           "only at run time it is seen whether work-items read side by side");
    auto* together = new_block("together");
    auto* apart = new_block("apart");
    auto* loaded = new_block("loaded");
    builder_.CreateCondBr(are_consecutive(addresses, size, row), together, apart);
    builder_.SetInsertPoint(together);
    auto* first = builder_.CreateExtractElement(addresses, std::uint64_t{0});
    auto* wide = wide_load(load, first, element, plan_.width, mask(row), align);
    builder_.CreateBr(loaded);
    builder_.SetInsertPoint(apart);
    auto* gathered = gather().front();
    builder_.CreateBr(loaded);
    builder_.SetInsertPoint(loaded);
    auto* phi = builder_.CreatePHI(wide->getType(), 2);
    phi->addIncoming(wide, together);
    phi->addIncoming(gathered, apart);
    result.at(row) = phi;
    return;
  }
  remark(load, "gather",
         stride ? "work-items read places that are far apart"
                : "the address is not a fixed step from one work-item to the next");
  for (const auto& [c, part] : llvm::enumerate(gather()))
    result.at(row, static_cast<unsigned>(c)) = part;
}

void Emitter::emit_store(const llvm::StoreInst& store) {
  const auto& address = *store.getPointerOperand();
  const auto& value = *store.getValueOperand();
  if (store.isVolatile() || store.isAtomic()) {
    remark(store, "lane by lane", "volatile and atomic accesses are done one work-item at a time");
    return emit_lane_loop(store);
  }
  const auto differs = [&](const llvm::Value& operand) {
    const auto found = values_.find(&operand);
    return found != values_.end() && found->second.by_row;
  };
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
  auto* element = component_type(type, 0);
  const auto count = component_count(type);
  const auto stride = shapes_.stride(address);
  const bool is_packed =
      !type->isAggregateType() && layout_.typeSizeEqualsStoreSize(element) &&
      layout_.getTypeSizeInBits(element) == layout_.getTypeAllocSizeInBits(element);
  const auto size = static_cast<Stride>(layout_.getTypeStoreSize(element).getFixedValue());
  const auto align = llvm::commonAlignment(store.getAlign(), static_cast<std::uint64_t>(size));
  if (stride && is_packed) {
    if (*stride == size && count == 1) {
      wide_store(store, lanes(value, row), scalar(address, row), mask(row), align);
      return;
    }
    if (*stride == -size && count == 1) {
      auto* lowest = offset_address(scalar(address, row), -size * (plan_.width - 1));
      wide_store(store, reversed(lanes(value, row)), lowest,
                 mask(row) ? reversed(mask(row)) : nullptr, align);
      return;
    }
    const auto skip = *stride / size;
    const bool is_near = *stride % size == 0 && skip >= count && skip > 1 &&
                         (skip == count || skip <= kLargestSkip) && skip * plan_.width <= 256 &&
                         size >= 4;
    if (is_near) {
      auto* own = mask_or_all(row);
      auto* none = llvm::Constant::getNullValue(own->getType());
      auto* nothing = llvm::PoisonValue::get(widened(element));
      llvm::SmallVector<llvm::Value*, 16> parts(static_cast<std::size_t>(skip), nothing);
      llvm::SmallVector<llvm::Value*, 16> masks(static_cast<std::size_t>(skip), none);
      for (unsigned c = 0; c < count; ++c) {
        parts[c] = lanes(value, row, c);
        masks[c] = own;
      }
      auto* part = mask(row) != nullptr || count != static_cast<unsigned>(skip) ? interleave(masks)
                                                                                : nullptr;
      wide_store(store, interleave(parts), scalar(address, row), part, align);
      return;
    }
  }
  auto* addresses = lanes(address, row);
  const auto scatter = [&] {
    for (unsigned c = 0; c < count; ++c) {
      const auto offset = component_offset(type, c, layout_);
      auto* made = builder_.CreateMaskedScatter(
          lanes(value, row, c), offset_address(addresses, static_cast<std::int64_t>(offset)),
          llvm::commonAlignment(store.getAlign(), offset), mask_or_all(row));
      made->copyMetadata(store, {llvm::LLVMContext::MD_tbaa, llvm::LLVMContext::MD_alias_scope,
                                 llvm::LLVMContext::MD_noalias});
    }
  };
  if (is_packed && count == 1 && shapes_.likely_stride(address) == size) {
    remark(store, "checked store",
           "only at run time it is seen whether work-items write side by side");
    auto* written = lanes(value, row);
    auto* together = new_block("together");
    auto* apart = new_block("apart");
    auto* stored = new_block("stored");
    builder_.CreateCondBr(are_consecutive(addresses, size, row), together, apart);
    builder_.SetInsertPoint(together);
    auto* first = builder_.CreateExtractElement(addresses, std::uint64_t{0});
    wide_store(store, written, first, mask(row), align);
    builder_.CreateBr(stored);
    builder_.SetInsertPoint(apart);
    scatter();
    builder_.CreateBr(stored);
    builder_.SetInsertPoint(stored);
    return;
  }
  remark(store, "scatter",
         stride ? "work-items write to places that are far apart"
                : "the address is not a fixed step from one work-item to the next");
  scatter();
}

// One after the other for all lanes.
void Emitter::emit_variable(const llvm::AllocaInst& variable) {
  auto& wide = define(variable, Wide::Kind::line);
  const auto size = variable.getAllocationSize(layout_)->getFixedValue();
  auto* type = llvm::ArrayType::get(builder_.getInt8Ty(), size * plan_.width * plan_.rows);
  auto* made = this->variable(type, variable.getName());
  made->setAlignment(std::max(variable.getAlign(), llvm::Align(64)));
  for (unsigned row = 0; row < (wide.by_row ? plan_.rows : 1); ++row)
    wide.at(row) =
        builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), made, row * plan_.width * size);
}

} // namespace heddle::compiler
