// Loads and stores of OpenCL vectors (arrays of structures, AoS) at addresses that are not
// consecutive between lanes: one access of up to 16 bytes per lane, unpacked or transposed in
// registers. The time of a gather is proportional to the number of its elements, and extracting an
// address from a vector takes as long as loading from it.
#include "compiler/vectorize/emit/emitter.h"
#include "llvm/Analysis/VectorUtils.h"

#include <numeric>

namespace heddle::compiler {
namespace {

constexpr std::uint64_t kMaxChunkBytes = 16;
constexpr std::uint64_t kMaxIntegerBytes = 8;  // a chunk up to this size is loaded as an integer
constexpr std::uint64_t kMaxVectorBytes = 128; // double16, long16

// The vector followed by poison, `count` elements in total.
llvm::Value* pad_vector(llvm::IRBuilderBase& builder, llvm::Value* vector, unsigned count) {
  const auto old_count = llvm::cast<llvm::FixedVectorType>(vector->getType())->getNumElements();
  llvm::SmallVector<int, 64> order(count, llvm::PoisonMaskElem);
  std::iota(order.begin(), order.begin() + old_count, 0);
  return builder.CreateShuffleVector(vector, order);
}

std::uint64_t element_bytes(const llvm::Type& type) { return type.getScalarSizeInBits() / 8; }

} // namespace

// Bytes of one lane that one access moves; 0: each component is gathered or scattered.
std::uint64_t Emitter::chunk_bytes(llvm::Type* type) const {
  if (type->isAggregateType() || type->getScalarType()->isPointerTy())
    return 0;
  const auto bits = type->getScalarSizeInBits();
  const auto count = component_count(type);
  if (!llvm::isPowerOf2_32(count) || bits < 8 || !llvm::isPowerOf2_32(bits) || bits > 64 ||
      (count == 1 && plan_.has_gathers && bits >= 32))
    return 0;
  const auto bytes = count * element_bytes(*type);
  return bytes <= kMaxVectorBytes ? std::min(bytes, kMaxChunkBytes) : 0;
}

// As chunk_bytes(), but 0 for scalars under a mask: without gather instructions LLVM expands a
// masked gather to a branch per lane, which is faster for single elements, since most of the
// branches are predicted.
std::uint64_t Emitter::access_bytes(llvm::Type* type, unsigned row) const {
  return type->isVectorTy() || mask(row) == nullptr ? chunk_bytes(type) : 0;
}

// A constant that inactive lanes load from.
llvm::Constant* Emitter::inactive_load_address(unsigned address_space) {
  auto& module = *kernel_.getParent();
  const auto name = ("heddle.nothing." + llvm::Twine(address_space)).str();
  if (auto* known = module.getGlobalVariable(name, true))
    return known;
  auto* type = llvm::ArrayType::get(builder_.getInt8Ty(), kMaxVectorBytes);
  auto* made = new llvm::GlobalVariable(module, type, true, llvm::GlobalValue::InternalLinkage,
                                        llvm::ConstantAggregateZero::get(type), name, nullptr,
                                        llvm::GlobalValue::NotThreadLocal, address_space);
  made->setAlignment(llvm::Align(kMaxVectorBytes));
  made->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
  return made;
}

// For each lane an address that it may load from, or store to, whether it is active or not.
llvm::SmallVector<llvm::Value*, 64> Emitter::safe_lane_addresses(const llvm::Value& address,
                                                                 unsigned row, bool is_store) {
  if (mask(row) == nullptr)
    return lane_addresses(address, row);
  auto* type = address.getType();
  auto* substitute = is_store ? inactive_store_address(type)
                              : inactive_load_address(type->getPointerAddressSpace());
  auto* addresses = builder_.CreateSelect(mask(row), lanes(address, row), splat(substitute));
  llvm::SmallVector<llvm::Value*, 64> result;
  for (unsigned lane = 0; lane < plan_.width; ++lane)
    result.push_back(builder_.CreateExtractElement(addresses, lane));
  return result;
}

// Whether each lane's address is lane 0's plus a constant: none has to be extracted from a vector.
bool Emitter::has_strided_addresses(const llvm::Value& address, unsigned row) const {
  return mask(row) == nullptr && shapes_.stride(address).has_value();
}

// Whether values of this type are gathered or scattered; otherwise there is one access per lane.
bool Emitter::uses_gather_or_scatter(llvm::Type* type, const llvm::Value& address,
                                     unsigned row) const {
  const auto bytes = access_bytes(type, row);
  return bytes == 0 ||
         (plan_.has_gathers && (bytes == 4 || bytes == 8) && !has_strided_addresses(address, row));
}

bool Emitter::is_gathered(const llvm::LoadInst& load, unsigned row) const {
  return uses_gather_or_scatter(load.getType(), *load.getPointerOperand(), row);
}

bool Emitter::load_aos(const llvm::LoadInst& load, unsigned row, VectorValue& result) {
  const auto bytes = access_bytes(load.getType(), row);
  if (bytes == 0)
    return false;
  const auto& address = *load.getPointerOperand();
  auto& type = *load.getType();
  const auto each = static_cast<unsigned>(bytes / element_bytes(type));
  auto* chunk = bytes > kMaxIntegerBytes ? llvm::FixedVectorType::get(type.getScalarType(), each)
                : type.isVectorTy()      ? builder_.getIntNTy(static_cast<unsigned>(bytes * 8))
                                         : &type;
  const auto copy_metadata = [&](llvm::Instruction& made) {
    made.copyMetadata(load, {llvm::LLVMContext::MD_tbaa, llvm::LLVMContext::MD_alias_scope,
                             llvm::LLVMContext::MD_noalias});
  };
  if (is_gathered(load, row)) {
    auto* made = builder_.CreateMaskedGather(widened(chunk), lanes(address, row), load.getAlign(),
                                             mask_or_all(row));
    copy_metadata(*made);
    unpack_components(made, type, row, result);
    return true;
  }
  const auto addresses = safe_lane_addresses(address, row, false);
  for (unsigned first = 0; first < result.components; first += each) {
    const auto offset = first * element_bytes(type);
    llvm::SmallVector<llvm::Value*, 64> parts;
    for (auto* lane_address : addresses) {
      auto* made = builder_.CreateAlignedLoad(
          chunk, offset_address(lane_address, static_cast<std::int64_t>(offset)),
          llvm::commonAlignment(load.getAlign(), offset));
      copy_metadata(*made);
      parts.push_back(made);
    }
    if (bytes <= kMaxIntegerBytes) {
      llvm::Value* packed = llvm::PoisonValue::get(widened(chunk));
      for (unsigned lane = 0; lane < plan_.width; ++lane)
        packed = builder_.CreateInsertElement(packed, parts[lane], lane);
      unpack_components(packed, type, row, result);
      continue;
    }
    transpose_to_components(parts, each);
    for (unsigned c = 0; c < each; ++c)
      result.at(row, first + c) = parts[c];
  }
  return true;
}

// A private variable that inactive lanes store to.
llvm::Value* Emitter::inactive_store_address(llvm::Type* pointer) {
  if (inactive_stores_ == nullptr) {
    inactive_stores_ = create_entry_alloca(
        llvm::ArrayType::get(builder_.getInt8Ty(), kMaxVectorBytes), "inactive.stores");
    inactive_stores_->setAlignment(llvm::Align(kMaxVectorBytes));
  }
  return builder_.CreateAddrSpaceCast(inactive_stores_, pointer);
}

bool Emitter::is_scattered(const llvm::StoreInst& store, unsigned row) const {
  return uses_gather_or_scatter(store.getValueOperand()->getType(), *store.getPointerOperand(),
                                row);
}

bool Emitter::store_aos(const llvm::StoreInst& store, unsigned row) {
  const auto& value = *store.getValueOperand();
  const auto bytes = access_bytes(value.getType(), row);
  if (bytes == 0)
    return false;
  const auto& address = *store.getPointerOperand();
  auto& type = *value.getType();
  const auto count = component_count(&type);
  const auto each = static_cast<unsigned>(bytes / element_bytes(type));
  const auto copy_metadata = [&](llvm::Instruction& made) {
    made.copyMetadata(store, {llvm::LLVMContext::MD_tbaa, llvm::LLVMContext::MD_alias_scope,
                              llvm::LLVMContext::MD_noalias});
  };
  llvm::SmallVector<llvm::Value*, 64> components;
  for (unsigned c = 0; c < count; ++c)
    components.push_back(lanes(value, row, c));
  if (is_scattered(store, row)) {
    auto* made = builder_.CreateMaskedScatter(pack_components(components), lanes(address, row),
                                              store.getAlign(), mask_or_all(row));
    copy_metadata(*made);
    return true;
  }
  const auto addresses = safe_lane_addresses(address, row, true);
  for (unsigned first = 0; first < count; first += each) {
    const auto offset = first * element_bytes(type);
    llvm::SmallVector<llvm::Value*, 64> parts(components.begin() + first,
                                              components.begin() + first + each);
    if (bytes <= kMaxIntegerBytes) {
      auto* packed = count == 1 ? parts.front() : pack_components(parts);
      parts.clear();
      for (unsigned lane = 0; lane < plan_.width; ++lane)
        parts.push_back(builder_.CreateExtractElement(packed, lane));
    } else {
      transpose_to_lanes(parts);
    }
    for (unsigned lane = 0; lane < plan_.width; ++lane)
      copy_metadata(*builder_.CreateAlignedStore(
          parts[lane], offset_address(addresses[lane], static_cast<std::int64_t>(offset)),
          llvm::commonAlignment(store.getAlign(), offset)));
  }
  return true;
}

// Splits a vector of one integer per lane, which holds all components of a value of `type`, into a
// vector per component.
void Emitter::unpack_components(llvm::Value* packed, llvm::Type& type, unsigned row,
                                VectorValue& result) {
  auto* element = type.getScalarType();
  const auto bits = type.getScalarSizeInBits();
  const auto count = component_count(&type);
  if (count == 1) {
    result.at(row) = packed;
    return;
  }
  if (bits >= 32) {
    auto* all =
        builder_.CreateBitCast(packed, llvm::FixedVectorType::get(element, plan_.width * count));
    for (unsigned c = 0; c < count; ++c)
      result.at(row, c) = deinterleave(all, count, c);
    return;
  }
  for (unsigned c = 0; c < count; ++c) {
    auto* part = builder_.CreateTrunc(builder_.CreateLShr(packed, std::uint64_t{c} * bits),
                                      widened(builder_.getIntNTy(bits)));
    result.at(row, c) = builder_.CreateBitCast(part, widened(element));
  }
}

// The inverse of unpack_components(). Components are frozen: a poison one, such as the last one of
// a vector of three, must not make the integer poison.
llvm::Value* Emitter::pack_components(llvm::ArrayRef<llvm::Value*> parts) {
  llvm::SmallVector<llvm::Value*, 16> components;
  for (auto* part : parts)
    components.push_back(builder_.CreateFreeze(part));
  auto* part = llvm::cast<llvm::FixedVectorType>(components.front()->getType());
  const auto bits = part->getScalarSizeInBits();
  const auto count = static_cast<unsigned>(components.size());
  auto* packed_type = widened(builder_.getIntNTy(bits * count));
  if (bits >= 32)
    return builder_.CreateBitCast(interleave(components), packed_type);
  llvm::Value* packed = llvm::Constant::getNullValue(packed_type);
  for (unsigned c = 0; c < count; ++c) {
    auto* extended = builder_.CreateZExt(
        builder_.CreateBitCast(components[c], widened(builder_.getIntNTy(bits))), packed_type);
    packed = builder_.CreateOr(packed, builder_.CreateShl(extended, std::uint64_t{c} * bits));
  }
  return packed;
}

// Interleaves, within each block of `block` elements, block / 2 elements of `a` and `b` starting at
// `first`.
llvm::Value* Emitter::interleave_blocks(llvm::Value* a, llvm::Value* b, unsigned block,
                                        unsigned first) {
  const auto count = llvm::cast<llvm::FixedVectorType>(a->getType())->getNumElements();
  llvm::SmallVector<int, 128> order;
  for (unsigned begin = first; begin < count; begin += block)
    for (unsigned i = 0; i < block / 2; ++i) {
      order.push_back(static_cast<int>(begin + i));
      order.push_back(static_cast<int>(count + begin + i));
    }
  return builder_.CreateShuffleVector(a, b, order);
}

// `rows` are n vectors of blocks of n elements: transposes each n x n block.
void Emitter::transpose_blocks(llvm::SmallVectorImpl<llvm::Value*>& rows) {
  const auto count = static_cast<unsigned>(rows.size());
  for (unsigned done = 1; done < count; done *= 2) {
    llvm::SmallVector<llvm::Value*, 64> next;
    for (unsigned i = 0; i < count / 2; ++i) {
      next.push_back(interleave_blocks(rows[i], rows[i + count / 2], count, 0));
      next.push_back(interleave_blocks(rows[i], rows[i + count / 2], count, count / 2));
    }
    std::copy(next.begin(), next.end(), rows.begin());
  }
}

// From one vector of `count` components per lane to one vector of all lanes per component. Lanes
// that are `count` apart are concatenated first; after that no element leaves its block of `count`
// elements, so that the shuffles stay within the 128-bit lanes of the registers.
void Emitter::transpose_to_components(llvm::SmallVectorImpl<llvm::Value*>& parts, unsigned count) {
  const auto blocks = std::max(plan_.width / count, 1U);
  auto* poison = llvm::PoisonValue::get(parts.front()->getType());
  llvm::SmallVector<llvm::Value*, 64> rows;
  for (unsigned i = 0; i < count; ++i) {
    llvm::SmallVector<llvm::Value*, 64> group;
    for (unsigned lane = i; lane < blocks * count; lane += count)
      group.push_back(lane < plan_.width ? parts[lane] : poison);
    rows.push_back(llvm::concatenateVectors(builder_, group));
  }
  transpose_blocks(rows);
  parts.clear();
  for (auto* row : rows)
    parts.push_back(plan_.width < count ? extract_subvector(row, 0, plan_.width) : row);
}

// The inverse of transpose_to_components().
void Emitter::transpose_to_lanes(llvm::SmallVectorImpl<llvm::Value*>& parts) {
  const auto count = static_cast<unsigned>(parts.size());
  for (auto*& part : parts)
    if (plan_.width < count)
      part = pad_vector(builder_, part, count);
  transpose_blocks(parts);
  llvm::SmallVector<llvm::Value*, 64> per_lane;
  for (unsigned lane = 0; lane < plan_.width; ++lane)
    per_lane.push_back(extract_subvector(parts[lane % count], lane / count * count, count));
  parts.assign(per_lane.begin(), per_lane.end());
}

} // namespace heddle::compiler
