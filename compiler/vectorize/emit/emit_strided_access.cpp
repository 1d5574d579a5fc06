// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/emit/emit_strided_access.h"

#include "compiler/vectorize/analysis/lane_access.h"
#include "compiler/vectorize/emit/lane_shuffles.h"

namespace heddle::compiler {
namespace {

constexpr Stride kBytesOfWord = 4;
// LLVM 22 puts three longer vectors of short elements together element by element.
constexpr Stride kBytesPutTogether = 32;

bool is_word_conversion(const llvm::Value& value, const llvm::Type& other) {
  return llvm::isa<llvm::CastInst>(value) && other.getScalarSizeInBits() >= 32;
}

// Whether components are converted to elements of 32 bits or more.
bool is_used_as_words(const llvm::Value& vector) {
  return llvm::any_of(vector.users(), [](const llvm::User* user) {
    return is_word_conversion(*user, *user->getType()) ||
           (llvm::isa<llvm::ExtractElementInst>(user) && is_used_as_words(*user));
  });
}

// Whether components, or the last one that is inserted, are converted from such.
bool is_made_of_words(const llvm::Value& value) {
  if (const auto* insertion = llvm::dyn_cast<llvm::InsertElementInst>(&value))
    return is_made_of_words(*insertion->getOperand(1));
  const auto* cast = llvm::dyn_cast<llvm::CastInst>(&value);
  return cast != nullptr && is_word_conversion(value, *cast->getSrcTy());
}

} // namespace

// The type in which values of `type` are accessed: short vectors of narrow elements, which are slow
// to shuffle, as one integer.
llvm::Type* StridedAccessEmitter::access_type(llvm::Type* type) const {
  const auto bytes = aos_.chunk_bytes(type);
  return type->isVectorTy() && component_count(type) != 3 && bytes != 0 && bytes <= 8 &&
                 type->getScalarSizeInBits() < 32
             ? llvm::IntegerType::get(kernel_.getContext(), static_cast<unsigned>(bytes * 8))
             : type;
}

StridedAccess StridedAccessEmitter::kind(llvm::Type* value_type, Stride stride,
                                         bool is_store) const {
  auto* type = access_type(value_type);
  auto* element = component_type(type, 0);
  if (type->isAggregateType() || !layout_.typeSizeEqualsStoreSize(element) ||
      layout_.getTypeSizeInBits(element) != layout_.getTypeAllocSizeInBits(element))
    return StridedAccess::none;
  const auto size = static_cast<Stride>(layout_.getTypeStoreSize(element).getFixedValue());
  const auto count = static_cast<Stride>(component_count(type));
  if (count == 1 && stride == size)
    return StridedAccess::consecutive;
  if (count == 1 && stride == -size)
    return StridedAccess::reversed;
  // Each lane accesses the first `count` of `factor` elements.
  const auto factor = stride / size;
  // Longer vectors are accessed by chunks (AosAccessEmitter), which takes fewer shuffles: half the
  // time of a float16, and of its build.
  const bool is_small =
      factor <= kMaxInterleaveFactor ||
      (aos_.chunk_bytes(type) == 0 && (is_store ? factor == count : factor <= 2 * count));
  // Masks are of elements; only AVX-512 has those of shorter ones, and LLVM expands others to a
  // branch for each.
  const bool is_whole = factor == count;
  const bool needs_no_mask = is_whole && mask(0) == nullptr;
  const bool has_masks =
      size >= kBytesOfWord ? plan_.has_masked_accesses : is_whole && plan_.has_gathers;
  return stride % size == 0 && factor >= count && factor > 1 && is_small &&
                 factor * plan_.width <= 256 && (needs_no_mask || has_masks)
             ? StridedAccess::interleaved
             : StridedAccess::none;
}

llvm::Value* StridedAccessEmitter::reverse_lanes(llvm::Value* vector) {
  return builder_.CreateVectorReverse(vector);
}

llvm::Value* StridedAccessEmitter::load_vector(const llvm::LoadInst& load, llvm::Value* address,
                                               llvm::Type* element, unsigned count,
                                               llvm::Value* mask, llvm::Align align) {
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

void StridedAccessEmitter::store_vector(const llvm::StoreInst& store, llvm::Value* value,
                                        llvm::Value* address, llvm::Value* mask,
                                        llvm::Align align) {
  auto* made =
      mask == nullptr
          ? static_cast<llvm::Instruction*>(builder_.CreateAlignedStore(value, address, align))
          : builder_.CreateMaskedStore(value, address, align, mask);
  made->copyMetadata(store, {llvm::LLVMContext::MD_tbaa, llvm::LLVMContext::MD_alias_scope,
                             llvm::LLVMContext::MD_noalias, llvm::LLVMContext::MD_nontemporal});
}

// Whether values of which those of all lanes are contiguous, and which are accessed as integers
// otherwise, are moved as one vector of all components. Operations on components, by the same on
// each, then need no shuffles (LLVM's VectorCombine finds out). Shifts are better at converting
// bytes of a lane's 32 bits from and to words.
bool StridedAccessEmitter::is_moved_by_components(llvm::Type& type, bool are_words, unsigned row,
                                                  Stride stride) const {
  const auto bytes = aos_.chunk_bytes(&type);
  return access_type(&type) != &type && mask(row) == nullptr &&
         stride == static_cast<Stride>(bytes) && !(are_words && bytes == 4);
}

void StridedAccessEmitter::load_components(const llvm::LoadInst& load, unsigned row,
                                           llvm::Value* first, VectorValue& result) {
  auto* element = component_type(load.getType(), 0);
  const auto count = result.components;
  const auto align =
      llvm::commonAlignment(load.getAlign(), layout_.getTypeStoreSize(element).getFixedValue());
  auto* all = load_vector(load, first, element, count * plan_.width, nullptr, align);
  for (unsigned c = 0; c < count; ++c)
    result.at(row, c) = deinterleave(builder_, all, plan_.width, count, c);
}

void StridedAccessEmitter::store_components(const llvm::StoreInst& store, unsigned row,
                                            llvm::Value* first) {
  const auto& value = *store.getValueOperand();
  auto* element = component_type(value.getType(), 0);
  llvm::SmallVector<llvm::Value*, 16> parts;
  for (unsigned c = 0; c < component_count(value.getType()); ++c)
    parts.push_back(lanes(value, row, c));
  const auto align =
      llvm::commonAlignment(store.getAlign(), layout_.getTypeStoreSize(element).getFixedValue());
  store_vector(store, interleave(builder_, parts), first, nullptr, align);
}

// Vectors of three elements, as three vectors of all lanes.
void StridedAccessEmitter::store_three(const llvm::StoreInst& store, unsigned row,
                                       llvm::Value* first, llvm::ArrayRef<llvm::Value*> components,
                                       llvm::Align align) {
  auto* lane_mask = mask(row);
  llvm::SmallVector<llvm::Value*, 3> masks(3, nullptr);
  if (lane_mask != nullptr)
    masks = interleave_three(builder_, {lane_mask, lane_mask, lane_mask});
  std::uint64_t offset = 0;
  for (auto [vector, its_mask] : llvm::zip_equal(interleave_three(builder_, components), masks)) {
    store_vector(store, vector, offset_address(first, static_cast<std::int64_t>(offset)), its_mask,
                 llvm::commonAlignment(align, offset));
    offset += layout_.getTypeStoreSize(vector->getType()).getFixedValue();
  }
}

void StridedAccessEmitter::load(const llvm::LoadInst& load, unsigned row, Stride stride,
                                llvm::Value* first, VectorValue& loaded) {
  if (is_moved_by_components(*load.getType(), is_used_as_words(load), row, stride))
    return load_components(load, row, first, loaded);
  auto* type = access_type(load.getType());
  VectorValue packed;
  packed.parts.assign(1, nullptr);
  auto& result = type == load.getType() ? loaded : packed;
  auto* element = component_type(type, 0);
  const auto size = static_cast<Stride>(layout_.getTypeStoreSize(element).getFixedValue());
  const auto align = llvm::commonAlignment(load.getAlign(), static_cast<std::uint64_t>(size));
  const auto count = result.components;
  switch (kind(load.getType(), stride, false)) {
  case StridedAccess::none:
    return;
  case StridedAccess::consecutive:
    result.at(row) = load_vector(load, first, element, plan_.width, mask(row), align);
    break;
  case StridedAccess::reversed: {
    auto* lowest = offset_address(first, -size * (plan_.width - 1));
    auto* access_mask = mask(row) ? reverse_lanes(mask(row)) : nullptr;
    result.at(row) =
        reverse_lanes(load_vector(load, lowest, element, plan_.width, access_mask, align));
    break;
  }
  case StridedAccess::interleaved: {
    const auto factor = static_cast<unsigned>(stride / size);
    llvm::Value* access_mask = nullptr;
    if (mask(row) != nullptr || count != factor) {
      auto* lane_mask = mask_or_all(row);
      llvm::SmallVector<llvm::Value*, 16> masks(factor,
                                                llvm::Constant::getNullValue(lane_mask->getType()));
      std::fill_n(masks.begin(), count, lane_mask);
      access_mask = interleave(builder_, masks);
    }
    auto* all = load_vector(load, first, element, factor * plan_.width, access_mask, align);
    for (unsigned c = 0; c < count; ++c)
      result.at(row, c) = deinterleave(builder_, all, plan_.width, factor, c);
    break;
  }
  }
  if (&result == &packed)
    aos_.unpack_components(packed.at(row), *load.getType(), row, loaded);
}

void StridedAccessEmitter::store(const llvm::StoreInst& store, unsigned row, Stride stride,
                                 llvm::Value* first) {
  const auto& value = *store.getValueOperand();
  if (is_moved_by_components(*value.getType(), is_made_of_words(value), row, stride))
    return store_components(store, row, first);
  auto* type = access_type(value.getType());
  auto* element = component_type(type, 0);
  const auto size = static_cast<Stride>(layout_.getTypeStoreSize(element).getFixedValue());
  const auto align = llvm::commonAlignment(store.getAlign(), static_cast<std::uint64_t>(size));
  const auto count = component_count(type);
  llvm::SmallVector<llvm::Value*, 16> components;
  for (unsigned c = 0; c < component_count(value.getType()); ++c)
    components.push_back(lanes(value, row, c));
  if (type != value.getType())
    components = {aos_.pack_components(components)};
  switch (kind(value.getType(), stride, true)) {
  case StridedAccess::none:
    return;
  case StridedAccess::consecutive:
    store_vector(store, components.front(), first, mask(row), align);
    return;
  case StridedAccess::reversed: {
    auto* lowest = offset_address(first, -size * (plan_.width - 1));
    store_vector(store, reverse_lanes(components.front()), lowest,
                 mask(row) ? reverse_lanes(mask(row)) : nullptr, align);
    return;
  }
  case StridedAccess::interleaved: {
    const auto factor = static_cast<unsigned>(stride / size);
    if (count == 3 && factor == 3 && size * plan_.width > kBytesPutTogether)
      return store_three(store, row, first, components, align);
    auto* lane_mask = mask_or_all(row);
    llvm::SmallVector<llvm::Value*, 16> parts(factor, llvm::PoisonValue::get(widened(element)));
    llvm::SmallVector<llvm::Value*, 16> masks(factor,
                                              llvm::Constant::getNullValue(lane_mask->getType()));
    for (unsigned c = 0; c < count; ++c) {
      parts[c] = components[c];
      masks[c] = lane_mask;
    }
    auto* access_mask =
        mask(row) != nullptr || count != factor ? interleave(builder_, masks) : nullptr;
    store_vector(store, interleave(builder_, parts), first, access_mask, align);
    return;
  }
  }
}

} // namespace heddle::compiler
