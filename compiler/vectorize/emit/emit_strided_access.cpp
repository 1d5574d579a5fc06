// Loads and stores whose addresses are a fixed step apart: wide accesses and shuffles.
#include "compiler/vectorize/emit/emitter.h"
#include "compiler/vectorize/transform/nontemporal_group_loops.h"

namespace heddle::compiler {
namespace {

// A load of every k-th element is one wide load and a shuffle up to this k.
constexpr Stride kLargestSkip = 4;

} // namespace

// Vectors of elements shorter than those that registers are good at shuffling: one integer each.
llvm::Type* Emitter::line_type(llvm::Type* type) const {
  const auto bytes = piece_bytes(type);
  return type->isVectorTy() && bytes != 0 && bytes <= 8 && type->getScalarSizeInBits() < 32
             ? llvm::IntegerType::get(context_, static_cast<unsigned>(bytes * 8))
             : type;
}

Emitter::LineAccess Emitter::line_access(llvm::Type* of, Stride stride, bool is_store) const {
  auto* type = line_type(of);
  auto* element = component_type(type, 0);
  if (type->isAggregateType() || !layout_.typeSizeEqualsStoreSize(element) ||
      layout_.getTypeSizeInBits(element) != layout_.getTypeAllocSizeInBits(element))
    return LineAccess::none;
  const auto size = static_cast<Stride>(layout_.getTypeStoreSize(element).getFixedValue());
  const auto count = static_cast<Stride>(component_count(type));
  if (count == 1 && stride == size)
    return LineAccess::consecutive;
  if (count == 1 && stride == -size)
    return LineAccess::reversed;
  // Every work-item has `count` of the `skip` elements from its place on.
  const auto skip = stride / size;
  const bool is_near = skip <= kLargestSkip || (is_store ? skip == count : skip <= 2 * count);
  return stride % size == 0 && skip >= count && skip > 1 && is_near && skip * plan_.width <= 256 &&
                 size >= 4
             ? LineAccess::interleaved
             : LineAccess::none;
}

llvm::Value* Emitter::reversed(llvm::Value* vector) { return builder_.CreateVectorReverse(vector); }

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
  if (auto* whole = llvm::dyn_cast<llvm::StoreInst>(made);
      whole != nullptr && store.hasMetadata(kWholeLine)) {
    whole->setAlignment(llvm::Align(64));
    whole->setMetadata(
        llvm::LLVMContext::MD_nontemporal,
        llvm::MDNode::get(store.getContext(), llvm::ConstantAsMetadata::get(builder_.getInt32(1))));
  }
}

void Emitter::load_line(const llvm::LoadInst& load, unsigned row, Stride stride, llvm::Value* first,
                        VectorValue& whole) {
  auto* type = line_type(load.getType());
  VectorValue words;
  words.parts.assign(1, nullptr);
  auto& result = type == load.getType() ? whole : words;
  auto* element = component_type(type, 0);
  const auto size = static_cast<Stride>(layout_.getTypeStoreSize(element).getFixedValue());
  const auto align = llvm::commonAlignment(load.getAlign(), static_cast<std::uint64_t>(size));
  const auto count = result.components;
  switch (line_access(load.getType(), stride, false)) {
  case LineAccess::none:
    return;
  case LineAccess::consecutive:
    result.at(row) = wide_load(load, first, element, plan_.width, mask(row), align);
    break;
  case LineAccess::reversed: {
    auto* lowest = offset_address(first, -size * (plan_.width - 1));
    auto* part = mask(row) ? reversed(mask(row)) : nullptr;
    result.at(row) = reversed(wide_load(load, lowest, element, plan_.width, part, align));
    break;
  }
  case LineAccess::interleaved: {
    const auto skip = static_cast<unsigned>(stride / size);
    llvm::Value* part = nullptr;
    if (mask(row) != nullptr || count != skip) {
      auto* own = mask_or_all(row);
      llvm::SmallVector<llvm::Value*, 16> masks(skip, llvm::Constant::getNullValue(own->getType()));
      std::fill_n(masks.begin(), count, own);
      part = interleave(masks);
    }
    auto* all = wide_load(load, first, element, skip * plan_.width, part, align);
    for (unsigned c = 0; c < count; ++c)
      result.at(row, c) = deinterleave(all, skip, c);
    break;
  }
  }
  if (&result == &words)
    take_apart(words.at(row), *load.getType(), row, whole);
}

void Emitter::store_line(const llvm::StoreInst& store, unsigned row, Stride stride,
                         llvm::Value* first) {
  const auto& value = *store.getValueOperand();
  auto* type = line_type(value.getType());
  auto* element = component_type(type, 0);
  const auto size = static_cast<Stride>(layout_.getTypeStoreSize(element).getFixedValue());
  const auto align = llvm::commonAlignment(store.getAlign(), static_cast<std::uint64_t>(size));
  const auto count = component_count(type);
  llvm::SmallVector<llvm::Value*, 16> components;
  for (unsigned c = 0; c < component_count(value.getType()); ++c)
    components.push_back(lanes(value, row, c));
  if (type != value.getType())
    components = {put_together(components)};
  switch (line_access(value.getType(), stride, true)) {
  case LineAccess::none:
    return;
  case LineAccess::consecutive:
    wide_store(store, components.front(), first, mask(row), align);
    return;
  case LineAccess::reversed: {
    auto* lowest = offset_address(first, -size * (plan_.width - 1));
    wide_store(store, reversed(components.front()), lowest,
               mask(row) ? reversed(mask(row)) : nullptr, align);
    return;
  }
  case LineAccess::interleaved: {
    const auto skip = static_cast<unsigned>(stride / size);
    auto* own = mask_or_all(row);
    llvm::SmallVector<llvm::Value*, 16> parts(skip, llvm::PoisonValue::get(widened(element)));
    llvm::SmallVector<llvm::Value*, 16> masks(skip, llvm::Constant::getNullValue(own->getType()));
    for (unsigned c = 0; c < count; ++c) {
      parts[c] = components[c];
      masks[c] = own;
    }
    auto* part = mask(row) != nullptr || count != skip ? interleave(masks) : nullptr;
    wide_store(store, interleave(parts), first, part, align);
    return;
  }
  }
}

} // namespace heddle::compiler
