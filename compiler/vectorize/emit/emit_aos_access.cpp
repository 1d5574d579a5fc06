// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads and stores of OpenCL vectors (arrays of structures, AoS) at addresses that are not
// consecutive between lanes: one access of up to 16 bytes per lane, unpacked or transposed in
// registers. The time of a gather is proportional to the number of its elements, and extracting an
// address from a vector takes as long as loading from it.
#include "compiler/vectorize/emit/emit_aos_access.h"

#include "compiler/vectorize/analysis/masked_blocks.h"
#include "compiler/vectorize/emit/lane_shuffles.h"
#include "compiler/vectorize/emit/shared_lane_stores.h"
#include "llvm/IR/Module.h"

namespace heddle::compiler {
namespace {

constexpr std::uint64_t kMaxChunkBytes = 16;
constexpr std::uint64_t kMaxIntegerBytes = 8; // a chunk up to this size is loaded as an integer

constexpr unsigned kTripleComponents = 4; // of the loads of vectors of three
constexpr std::uint64_t kPageBytes = 4096;

void copy_access_metadata(const llvm::Instruction& from, llvm::Instruction& to) {
  to.copyMetadata(from, {llvm::LLVMContext::MD_tbaa, llvm::LLVMContext::MD_alias_scope,
                         llvm::LLVMContext::MD_noalias});
}

std::uint64_t element_bytes(const llvm::Type& type) { return type.getScalarSizeInBits() / 8; }

} // namespace

std::uint64_t AosAccessEmitter::chunk_bytes(llvm::Type* type) const {
  if (type->isAggregateType() || type->getScalarType()->isPointerTy())
    return 0;
  const auto bits = type->getScalarSizeInBits();
  const auto count = component_count(type);
  if (count == 3)
    return chunk_bytes(type->getScalarType());
  if (!llvm::isPowerOf2_32(count) || bits < 8 || !llvm::isPowerOf2_32(bits) || bits > 64 ||
      (count == 1 && plan_.has_gathers && bits >= 32))
    return 0;
  const auto bytes = count * element_bytes(*type);
  return bytes <= kMaxInactiveBytes ? std::min(bytes, kMaxChunkBytes) : 0;
}

// As chunk_bytes(), but 0 for scalars of 32 and 64 bits under a mask: without gather instructions
// LLVM expands a masked gather to a branch per lane, which is faster for single elements, since
// most of the branches are predicted. Of shorter ones a kernel has more, the components of vectors
// of three above all, and LLVM's passes take time quadratic in the number of blocks.
std::uint64_t AosAccessEmitter::access_bytes(llvm::Type* type, unsigned row) const {
  const auto count = component_count(type);
  const bool is_long_scalar = (count == 1 || count == 3) && type->getScalarSizeInBits() >= 32;
  return is_long_scalar && mask(row) != nullptr ? 0 : chunk_bytes(type);
}

// For each lane an address of this alignment that it may load from, or store to, whether it is
// active or not.
llvm::SmallVector<llvm::Value*, 64>
AosAccessEmitter::safe_lane_addresses(const llvm::Value& address, llvm::Align alignment,
                                      unsigned row, bool is_store) {
  if (mask(row) == nullptr)
    return addresses_.lane_addresses(address, row);
  const auto [addresses, distance] = masked_addresses(address, alignment, row, is_store);
  llvm::SmallVector<llvm::Value*, 64> result;
  for (unsigned lane = 0; lane < plan_.width; ++lane)
    result.push_back(offset_address(builder_.CreateExtractElement(addresses, lane), distance));
  return result;
}

// Such addresses under a mask as a vector, and the bytes to be added to each.
std::pair<llvm::Value*, std::int64_t> AosAccessEmitter::masked_addresses(const llvm::Value& address,
                                                                         llvm::Align alignment,
                                                                         unsigned row,
                                                                         bool is_store) {
  // Components at constant distances have their lanes' addresses in common.
  llvm::APInt distance(layout_.getIndexTypeSizeInBits(address.getType()), 0);
  const auto* first = address.stripAndAccumulateConstantOffsets(layout_, distance, true);
  if (distance.isNegative() || distance.ugt(kMaxInactiveDistance) ||
      !llvm::isAligned(alignment, distance.getZExtValue()) ||
      first->getType() != address.getType() || values_.find(*first) == nullptr) {
    first = &address;
    distance.clearAllBits();
  }
  auto* type = address.getType();
  auto* substitute = context_.inactive_address(type, is_store);
  return {builder_.CreateSelect(mask(row), lanes(*first, row), splat(substitute)),
          distance.getSExtValue()};
}

// A call of the function that the kernel's many stores share.
void AosAccessEmitter::call_store(const llvm::StoreInst& store, unsigned row, llvm::Value& packed) {
  const auto& address = *store.getPointerOperand();
  const auto align = store.getAlign();
  if (mask(row) == nullptr)
    return call_lane_stores(builder_, packed, *lanes(address, row), align);
  const auto [addresses, distance] = masked_addresses(address, align, row, true);
  call_lane_stores(builder_, packed, *offset_address(addresses, distance), align);
}

bool AosAccessEmitter::shares_lane_stores() {
  if (!shares_lane_stores_)
    shares_lane_stores_ = has_many_lane_stores(kernel_, shapes_, plan_);
  return *shares_lane_stores_;
}

bool AosAccessEmitter::has_strided_addresses(const llvm::Value& address, unsigned row) const {
  return mask(row) == nullptr && shapes_.stride(address).has_value();
}

// Whether values of this type are gathered or scattered; otherwise there is one access per lane.
bool AosAccessEmitter::uses_gather_or_scatter(llvm::Type* type, const llvm::Value& address,
                                              unsigned row) const {
  const auto bytes = access_bytes(type, row);
  return bytes == 0 ||
         (plan_.has_gathers && (bytes == 4 || bytes == 8) && !has_strided_addresses(address, row));
}

bool AosAccessEmitter::is_gathered(const llvm::LoadInst& load, unsigned row) const {
  return !loads_triples(*load.getType()) &&
         uses_gather_or_scatter(load.getType(), *load.getPointerOperand(), row);
}

bool AosAccessEmitter::is_scattered(const llvm::StoreInst& store, unsigned row) const {
  return uses_gather_or_scatter(store.getValueOperand()->getType(), *store.getPointerOperand(),
                                row);
}

// Whether vectors of three are loaded as vectors of four of which the last component is masked.
bool AosAccessEmitter::loads_triples(llvm::Type& type) const {
  return component_count(&type) == 3 && !type.isAggregateType() &&
         plan_.loads_three(type.getScalarSizeInBits());
}

void AosAccessEmitter::load_triples(const llvm::LoadInst& load, unsigned row, VectorValue& result) {
  auto& type = *load.getType();
  const auto align = llvm::commonAlignment(load.getAlign(), element_bytes(type));
  const auto addresses = safe_lane_addresses(*load.getPointerOperand(), align, row, false);
  if (type.getScalarSizeInBits() < 32)
    return unpack_components(load_triples_of_bytes(load, row, addresses), type, row, result);
  llvm::SmallVector<llvm::Value*, 64> parts;
  for (auto* address : addresses)
    parts.push_back(load_masked_triple(load, address, align));
  transpose_to_components(builder_, parts, kTripleComponents);
  for (unsigned c = 0; c < result.components; ++c)
    result.at(row, c) = parts[c];
}

// A vector of four, of which the last is zero: not poison, which would make words of bytes poison.
llvm::Value* AosAccessEmitter::load_masked_triple(const llvm::LoadInst& load, llvm::Value* address,
                                                  llvm::Align align) {
  auto* type = llvm::FixedVectorType::get(load.getType()->getScalarType(), kTripleComponents);
  auto* is_loaded = llvm::ConstantVector::get(
      {builder_.getTrue(), builder_.getTrue(), builder_.getTrue(), builder_.getFalse()});
  auto* made = builder_.CreateMaskedLoad(type, address, align, is_loaded,
                                         llvm::Constant::getNullValue(type));
  copy_access_metadata(load, *made);
  return made;
}

// Whether a word would reach into another page.
llvm::Value* AosAccessEmitter::is_at_end_of_page(llvm::Value* address) {
  auto* type = address->getType()->getWithNewType(builder_.getInt64Ty());
  auto* place = builder_.CreateAnd(builder_.CreatePtrToInt(address, type), kPageBytes - 1);
  return builder_.CreateICmpUGT(place,
                                llvm::ConstantInt::get(type, kPageBytes - kTripleComponents));
}

// Whether one of an active lane would.
llvm::Value* AosAccessEmitter::are_at_ends_of_pages(const llvm::Value& address, unsigned row) {
  auto* are_at_ends = is_at_end_of_page(lanes(address, row));
  if (mask(row) != nullptr) // the others have another address
    are_at_ends = builder_.CreateAnd(are_at_ends, mask(row));
  return masks_.any_active({are_at_ends});
}

// A word for each lane. A masked load is one of 16 bytes to the cache, and so often takes two
// lines; a word with the byte behind is loaded instead unless it could reach into another page.
llvm::Value* AosAccessEmitter::load_triples_of_bytes(const llvm::LoadInst& load, unsigned row,
                                                     llvm::ArrayRef<llvm::Value*> addresses) {
  auto* word = builder_.getInt32Ty();
  const auto gather = [&](auto load_lane) {
    llvm::Value* all = llvm::PoisonValue::get(widened(word));
    for (unsigned lane = 0; lane < plan_.width; ++lane)
      all = builder_.CreateInsertElement(all, load_lane(addresses[lane]), lane);
    return all;
  };
  // Pixels of four bytes: what lies between two of them may be loaded.
  const bool are_consecutive = has_strided_addresses(*load.getPointerOperand(), row) &&
                               shapes_.stride(*load.getPointerOperand()) == kTripleComponents;
  auto* words = new_block("words");
  auto* triples = new_block("triples");
  auto* loaded = new_block("load.done");
  builder_.CreateCondBr(are_consecutive ? is_at_end_of_page(addresses.back())
                                        : are_at_ends_of_pages(*load.getPointerOperand(), row),
                        triples, words);
  builder_.SetInsertPoint(words);
  const auto load_words = [&](llvm::Type* type, llvm::Value* address) {
    auto* made = builder_.CreateAlignedLoad(type, address, llvm::Align(1));
    copy_access_metadata(load, *made);
    return made;
  };
  auto* from_words = are_consecutive
                         ? load_words(widened(word), addresses.front())
                         : gather([&](llvm::Value* address) { return load_words(word, address); });
  builder_.CreateBr(loaded);
  builder_.SetInsertPoint(triples);
  auto* from_triples = gather([&](llvm::Value* address) {
    return builder_.CreateBitCast(load_masked_triple(load, address, llvm::Align(1)), word);
  });
  builder_.CreateBr(loaded);
  builder_.SetInsertPoint(loaded);
  auto* phi = builder_.CreatePHI(widened(word), 2);
  phi->addIncoming(from_words, words);
  phi->addIncoming(from_triples, triples);
  return phi;
}

bool AosAccessEmitter::load(const llvm::LoadInst& load, unsigned row, VectorValue& result) {
  if (loads_triples(*load.getType())) {
    load_triples(load, row, result);
    return true;
  }
  const auto bytes = access_bytes(load.getType(), row);
  if (bytes == 0)
    return false;
  const auto& address = *load.getPointerOperand();
  auto& type = *load.getType();
  const auto each = static_cast<unsigned>(bytes / element_bytes(type));
  auto* chunk = bytes > kMaxIntegerBytes ? llvm::FixedVectorType::get(type.getScalarType(), each)
                : each != 1              ? builder_.getIntNTy(static_cast<unsigned>(bytes * 8))
                                         : type.getScalarType();
  const auto copy_metadata = [&](llvm::Instruction& made) { copy_access_metadata(load, made); };
  if (is_gathered(load, row)) {
    if (each != result.components)
      return false;
    auto* made = builder_.CreateMaskedGather(widened(chunk), lanes(address, row), load.getAlign(),
                                             mask_or_all(row));
    copy_metadata(*made);
    unpack_components(made, type, row, result);
    return true;
  }
  const auto addresses = safe_lane_addresses(address, load.getAlign(), row, false);
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
      if (each == 1)
        result.at(row, first) = packed;
      else
        unpack_components(packed, type, row, result);
      continue;
    }
    transpose_to_components(builder_, parts, each);
    for (unsigned c = 0; c < each; ++c)
      result.at(row, first + c) = parts[c];
  }
  return true;
}

bool AosAccessEmitter::store(const llvm::StoreInst& store, unsigned row) {
  const auto& value = *store.getValueOperand();
  const auto bytes = access_bytes(value.getType(), row);
  if (bytes == 0)
    return false;
  const auto& address = *store.getPointerOperand();
  auto& type = *value.getType();
  const auto count = component_count(&type);
  const auto each = static_cast<unsigned>(bytes / element_bytes(type));
  const auto copy_metadata = [&](llvm::Instruction& made) { copy_access_metadata(store, made); };
  llvm::SmallVector<llvm::Value*, 64> components;
  for (unsigned c = 0; c < count; ++c)
    components.push_back(lanes(value, row, c));
  if (is_scattered(store, row)) {
    if (each != count)
      return false;
    auto* made = builder_.CreateMaskedScatter(pack_components(components), lanes(address, row),
                                              store.getAlign(), mask_or_all(row));
    copy_metadata(*made);
    return true;
  }
  if (each == count && bytes <= kMaxIntegerBytes && type.getScalarType()->isIntegerTy() &&
      !shapes_.stride(address) && shares_lane_stores()) {
    call_store(store, row, each == 1 ? *components.front() : *pack_components(components));
    return true;
  }
  const auto addresses = safe_lane_addresses(address, store.getAlign(), row, true);
  for (unsigned first = 0; first < count; first += each) {
    const auto offset = first * element_bytes(type);
    llvm::SmallVector<llvm::Value*, 64> parts(components.begin() + first,
                                              components.begin() + first + each);
    if (bytes <= kMaxIntegerBytes) {
      auto* packed = each == 1 ? parts.front() : pack_components(parts);
      parts.clear();
      for (unsigned lane = 0; lane < plan_.width; ++lane)
        parts.push_back(builder_.CreateExtractElement(packed, lane));
    } else {
      transpose_to_lanes(builder_, parts, plan_.width);
    }
    for (unsigned lane = 0; lane < plan_.width; ++lane)
      copy_metadata(*builder_.CreateAlignedStore(
          parts[lane], offset_address(addresses[lane], static_cast<std::int64_t>(offset)),
          llvm::commonAlignment(store.getAlign(), offset)));
  }
  return true;
}

void AosAccessEmitter::unpack_components(llvm::Value* packed, llvm::Type& type, unsigned row,
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
      result.at(row, c) = deinterleave(builder_, all, plan_.width, count, c);
    return;
  }
  for (unsigned c = 0; c < count; ++c) {
    auto* part = builder_.CreateTrunc(builder_.CreateLShr(packed, std::uint64_t{c} * bits),
                                      widened(builder_.getIntNTy(bits)));
    result.at(row, c) = builder_.CreateBitCast(part, widened(element));
  }
}

llvm::Value* AosAccessEmitter::pack_components(llvm::ArrayRef<llvm::Value*> parts) {
  llvm::SmallVector<llvm::Value*, 16> components;
  for (auto* part : parts)
    components.push_back(builder_.CreateFreeze(part));
  auto* part = llvm::cast<llvm::FixedVectorType>(components.front()->getType());
  const auto bits = part->getScalarSizeInBits();
  const auto count = static_cast<unsigned>(components.size());
  auto* packed_type = widened(builder_.getIntNTy(bits * count));
  if (bits >= 32)
    return builder_.CreateBitCast(interleave(builder_, components), packed_type);
  llvm::Value* packed = llvm::Constant::getNullValue(packed_type);
  for (unsigned c = 0; c < count; ++c) {
    auto* extended = builder_.CreateZExt(
        builder_.CreateBitCast(components[c], widened(builder_.getIntNTy(bits))), packed_type);
    packed = builder_.CreateOr(packed, builder_.CreateShl(extended, std::uint64_t{c} * bits));
  }
  return packed;
}

} // namespace heddle::compiler
