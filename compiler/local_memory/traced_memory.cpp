// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/local_memory/traced_memory.h"

#include "compiler/ir/address_space.h"
#include "compiler/local_memory/lane_masks.h"
#include "llvm/IR/Constants.h"

namespace heddle::compiler {
namespace {

constexpr std::int64_t kMaxLanesBefore = 64;

unsigned lanes_of(llvm::Type* type) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector != nullptr ? vector->getNumElements() : 1;
}

bool can_be_cast(llvm::Type* from, llvm::Type* to) {
  return from == to || (!from->isPointerTy() && !to->isPointerTy());
}

} // namespace

bool is_local_pointer(const llvm::Value& value) {
  const auto* pointer = llvm::dyn_cast<llvm::PointerType>(value.getType()->getScalarType());
  return pointer != nullptr && pointer->getAddressSpace() == kLocal;
}

void TracedMemory::derive_depth(const llvm::Instruction& made) {
  unsigned depth = 0;
  for (const auto* operand : made.operand_values())
    depth = std::max(depth, depths_.lookup(operand));
  if (depth != 0)
    depths_[&made] = depth;
}

// Zero if elements are not of whole bytes, or no numbers and pointers.
std::int64_t TracedMemory::element_bytes(llvm::Type* type) const {
  auto* element = type->getScalarType();
  if (!element->isIntegerTy() && !element->isFloatingPointTy() && !element->isPointerTy())
    return 0;
  const auto bits = layout_.getTypeSizeInBits(element).getFixedValue();
  return bits % 8 == 0 ? static_cast<std::int64_t>(bits / 8) : 0;
}

llvm::SmallVector<std::int64_t, 64> TracedMemory::offsets_of(const TracedAddress& address,
                                                             llvm::Type* type) {
  llvm::SmallVector<std::int64_t, 64> offsets(address.offsets.begin(), address.offsets.end());
  const auto bytes = element_bytes(type);
  while (offsets.size() < lanes_of(type))
    offsets.push_back(offsets.back() + bytes);
  return offsets;
}

bool TracedMemory::overlaps(llvm::Value* root, std::int64_t offset, std::int64_t bytes) {
  auto& contents = contents_[root];
  auto next = contents.lower_bound(offset);
  if (next != contents.end() && next->first < offset + bytes)
    return true;
  return next != contents.begin() &&
         std::prev(next)->first + std::prev(next)->second.bytes > offset;
}

const TracedMemory::Element* TracedMemory::find(llvm::Value* root, std::int64_t offset,
                                                std::int64_t bytes) {
  auto& contents = contents_[root];
  const auto found = contents.find(offset);
  return found != contents.end() && found->second.bytes == bytes ? &found->second : nullptr;
}

bool TracedMemory::put(llvm::Value* root, std::int64_t offset, const Element& element) {
  if (find(root, offset, element.bytes) == nullptr && overlaps(root, offset, element.bytes))
    return false;
  contents_[root][offset] = element;
  return true;
}

bool TracedMemory::load_before(llvm::IRBuilderBase& builder, llvm::Value* root, llvm::Type* element,
                               llvm::ArrayRef<std::int64_t> offsets) {
  const auto bytes = static_cast<std::int64_t>(layout_.getTypeStoreSize(element).getFixedValue());
  const auto first = *llvm::min_element(offsets);
  const auto count = (*llvm::max_element(offsets) - first) / bytes + 1;
  if (count > kMaxLanesBefore ||
      llvm::any_of(offsets, [&](std::int64_t offset) { return (offset - first) % bytes != 0; }))
    return false;
  auto* type =
      count == 1 ? element : llvm::FixedVectorType::get(element, static_cast<unsigned>(count));
  auto* pointer = builder.CreateGEP(builder.getInt8Ty(), root,
                                    builder.getInt64(static_cast<std::uint64_t>(first)));
  auto* before = builder.CreateAlignedLoad(type, pointer, llvm::Align(1));
  for (unsigned i = 0; i < count; ++i)
    if (!overlaps(root, first + i * bytes, bytes))
      put(root, first + i * bytes, {.bytes = bytes, .lane = {before, i}});
  return true;
}

static bool are_consecutive(llvm::ArrayRef<std::int64_t> offsets, std::int64_t bytes) {
  for (std::size_t i = 1; i < offsets.size(); ++i)
    if (offsets[i] != offsets[i - 1] + bytes)
      return false;
  return true;
}

llvm::Value* TracedMemory::load(llvm::IRBuilderBase& builder, llvm::Type* type,
                                const TracedAddress& address, llvm::Value* mask,
                                llvm::Value* inactive) {
  auto* element = type->getScalarType();
  const auto bytes = element_bytes(type);
  if (bytes == 0) { // a mask, as a whole
    const auto* stored = mask == nullptr && address.offsets.size() == 1
                             ? find(address.root, address.offsets.front(),
                                    static_cast<std::int64_t>(layout_.getTypeStoreSize(type)))
                             : nullptr;
    return stored != nullptr && stored->lane.value != nullptr &&
                   stored->lane.value->getType() == type
               ? stored->lane.value
               : nullptr;
  }
  const auto offsets = offsets_of(address, type);
  llvm::SmallVector<Lane, 64> lanes(offsets.size());
  llvm::SmallVector<std::int64_t, 64> absent;
  bool selects = false;
  unsigned depth = 0;
  for (unsigned i = 0; i < offsets.size(); ++i) {
    const auto active = is_active(mask, i);
    selects |= !active.has_value();
    if (active != false && find(address.root, offsets[i], bytes) == nullptr)
      absent.push_back(offsets[i]);
  }
  if (!begins_undefined_ && !absent.empty() &&
      (selects || !load_before(builder, address.root, element, absent)))
    return nullptr;
  for (unsigned i = 0; i < offsets.size(); ++i) {
    const auto active = is_active(mask, i);
    if (active == false) {
      if (inactive != nullptr && !llvm::isa<llvm::UndefValue>(inactive))
        lanes[i] = {inactive, i};
      continue;
    }
    if (const auto* stored = find(address.root, offsets[i], bytes)) {
      if (stored->pointer_root != nullptr ||
          !can_be_cast(stored->lane.value->getType()->getScalarType(), element))
        return nullptr;
      lanes[i] = stored->lane;
      depth = std::max(depth, depths_.lookup(stored->lane.value));
    } else if (overlaps(address.root, offsets[i], bytes)) {
      return nullptr;
    } else if (active.has_value()) {
      lanes[i] = {llvm::Constant::getNullValue(element), 0}; // nothing was stored: any value
    }
    ++loaded_lanes_;
  }
  auto* loaded =
      build_lanes(builder, lanes, element, !type->isVectorTy(), register_bits_, shuffles_);
  if (selects && inactive != nullptr && !llvm::isa<llvm::UndefValue>(inactive))
    loaded = builder.CreateSelect(mask, loaded, inactive);
  if (is_local_pointer(*address.root)) {
    if (!are_consecutive(offsets, bytes))
      gathered_lanes_ += static_cast<unsigned>(offsets.size());
    depths_[loaded] = depth + 1;
    depth_ = std::max(depth_, depth + 1);
  }
  return loaded;
}

bool TracedMemory::store(llvm::IRBuilderBase& builder, llvm::Value* value,
                         const TracedAddress& address, llvm::Value* mask) {
  auto* type = value->getType();
  const auto bytes = element_bytes(type);
  if (bytes == 0)
    return mask == nullptr && address.offsets.size() == 1 && !type->isAggregateType() &&
           put(address.root, address.offsets.front(),
               {.bytes = static_cast<std::int64_t>(layout_.getTypeStoreSize(type)),
                .lane = {value, 0}});
  const auto offsets = offsets_of(address, type);
  bool selects = false;
  for (unsigned i = 0; i < offsets.size(); ++i)
    selects |= !is_active(mask, i).has_value();
  if (selects) {
    // Two lanes at one address would have to be stored one after the other.
    auto sorted = offsets;
    llvm::sort(sorted);
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
      return false;
    const auto loaded = loaded_lanes_;
    auto* before = load(builder, type, address, nullptr, nullptr);
    loaded_lanes_ = loaded;
    if (before == nullptr)
      return false;
    const auto depth = std::max(depths_.lookup(value), depths_.lookup(before));
    value = builder.CreateSelect(mask, value, before);
    depths_[value] = depth;
  }
  for (unsigned i = 0; i < offsets.size(); ++i)
    if (is_active(mask, i) != false &&
        !put(address.root, offsets[i], {.bytes = bytes, .lane = {value, i}}))
      return false;
  return true;
}

std::optional<TracedAddress> TracedMemory::load_address(llvm::Type* type,
                                                        const TracedAddress& address) {
  const auto bytes =
      static_cast<std::int64_t>(layout_.getTypeStoreSize(type->getScalarType()).getFixedValue());
  TracedAddress loaded;
  for (const auto offset : offsets_of(address, type)) {
    const auto* stored = find(address.root, offset, bytes);
    if (stored == nullptr || stored->pointer_root == nullptr ||
        (loaded.root != nullptr && loaded.root != stored->pointer_root))
      return std::nullopt;
    loaded.root = stored->pointer_root;
    loaded.offsets.push_back(stored->pointer_offset);
  }
  return loaded;
}

bool TracedMemory::store_address(const TracedAddress& value, const TracedAddress& address) {
  constexpr std::int64_t kBytes = 8;
  if (address.offsets.size() != 1)
    return false;
  auto offset = address.offsets.front();
  for (const auto pointer_offset : value.offsets) {
    if (!put(address.root, offset,
             {.bytes = kBytes,
              .lane = {},
              .pointer_root = value.root,
              .pointer_offset = pointer_offset}))
      return false;
    offset += kBytes;
  }
  return true;
}

} // namespace heddle::compiler
