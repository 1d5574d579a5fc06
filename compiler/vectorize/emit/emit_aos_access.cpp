// Loads and stores of vectors at places that are apart from lane to lane: whole, in pieces of up to
// 16 bytes, which are taken apart or transposed in registers. A gather takes its time by the number
// of elements, and to get an address out of a vector takes as long as to load from it.
#include "compiler/vectorize/emit/emitter.h"
#include "llvm/Analysis/VectorUtils.h"

#include <numeric>

namespace heddle::compiler {
namespace {

constexpr std::uint64_t kLargestPiece = 16;
constexpr std::uint64_t kLargestWord = 8;    // that an integer holds
constexpr std::uint64_t kLargestValue = 128; // of OpenCL C's vectors

// With elements that nobody looks at behind it.
llvm::Value* longer(llvm::IRBuilderBase& builder, llvm::Value* vector, unsigned count) {
  const auto own = llvm::cast<llvm::FixedVectorType>(vector->getType())->getNumElements();
  llvm::SmallVector<int, 64> order(count, llvm::PoisonMaskElem);
  std::iota(order.begin(), order.begin() + own, 0);
  return builder.CreateShuffleVector(vector, order);
}

std::uint64_t element_bytes(const llvm::Type& type) { return type.getScalarSizeInBits() / 8; }

} // namespace

// Bytes that are moved at once; 0: each component is left to gathers and scatters.
std::uint64_t Emitter::piece_bytes(llvm::Type* type) const {
  if (type->isAggregateType() || type->getScalarType()->isPointerTy())
    return 0;
  const auto bits = type->getScalarSizeInBits();
  const auto count = component_count(type);
  if (!llvm::isPowerOf2_32(count) || bits < 8 || !llvm::isPowerOf2_32(bits) || bits > 64 ||
      (count == 1 && plan_.has_gathers && bits >= 32))
    return 0;
  const auto bytes = count * element_bytes(*type);
  return bytes <= kLargestValue ? std::min(bytes, kLargestPiece) : 0;
}

// Under a mask LLVM has branches for the lanes of a gather that the CPU does not have: for single
// elements these are faster, as most are predicted.
std::uint64_t Emitter::bytes_at_once(llvm::Type* type, unsigned row) const {
  return type->isVectorTy() || mask(row) == nullptr ? piece_bytes(type) : 0;
}

// Where lanes that are not active may load from.
llvm::Constant* Emitter::safe_place(unsigned address_space) {
  auto& module = *kernel_.getParent();
  const auto name = ("heddle.nothing." + llvm::Twine(address_space)).str();
  if (auto* known = module.getGlobalVariable(name, true))
    return known;
  auto* type = llvm::ArrayType::get(builder_.getInt8Ty(), kLargestValue);
  auto* made = new llvm::GlobalVariable(module, type, true, llvm::GlobalValue::InternalLinkage,
                                        llvm::ConstantAggregateZero::get(type), name, nullptr,
                                        llvm::GlobalValue::NotThreadLocal, address_space);
  made->setAlignment(llvm::Align(kLargestValue));
  made->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
  return made;
}

// For each lane an address that it may load from, or store to.
llvm::SmallVector<llvm::Value*, 64> Emitter::usable_addresses(const llvm::Value& address,
                                                              unsigned row, bool is_store) {
  if (mask(row) == nullptr)
    return lane_addresses(address, row);
  auto* type = address.getType();
  auto* elsewhere = is_store ? scratch_place(type) : safe_place(type->getPointerAddressSpace());
  auto* places = builder_.CreateSelect(mask(row), lanes(address, row), splat(elsewhere));
  llvm::SmallVector<llvm::Value*, 64> result;
  for (unsigned lane = 0; lane < plan_.width; ++lane)
    result.push_back(builder_.CreateExtractElement(places, lane));
  return result;
}

// Whether lanes' addresses are known without being taken out of a vector.
bool Emitter::is_line_of_lanes(const llvm::Value& address, unsigned row) const {
  return mask(row) == nullptr && shapes_.stride(address).has_value();
}

// By gather and scatter; else there is an access for each lane.
bool Emitter::is_moved_by_words(llvm::Type* type, const llvm::Value& address, unsigned row) const {
  const auto bytes = bytes_at_once(type, row);
  return bytes == 0 ||
         (plan_.has_gathers && (bytes == 4 || bytes == 8) && !is_line_of_lanes(address, row));
}

bool Emitter::is_gathered(const llvm::LoadInst& load, unsigned row) const {
  return is_moved_by_words(load.getType(), *load.getPointerOperand(), row);
}

bool Emitter::load_pieces(const llvm::LoadInst& load, unsigned row, VectorValue& result) {
  const auto bytes = bytes_at_once(load.getType(), row);
  if (bytes == 0)
    return false;
  const auto& address = *load.getPointerOperand();
  auto& type = *load.getType();
  const auto each = static_cast<unsigned>(bytes / element_bytes(type));
  auto* word = bytes > kLargestWord ? llvm::FixedVectorType::get(type.getScalarType(), each)
               : type.isVectorTy()  ? builder_.getIntNTy(static_cast<unsigned>(bytes * 8))
                                    : &type;
  const auto copy_metadata = [&](llvm::Instruction& made) {
    made.copyMetadata(load, {llvm::LLVMContext::MD_tbaa, llvm::LLVMContext::MD_alias_scope,
                             llvm::LLVMContext::MD_noalias});
  };
  if (is_gathered(load, row)) {
    auto* made = builder_.CreateMaskedGather(widened(word), lanes(address, row), load.getAlign(),
                                             mask_or_all(row));
    copy_metadata(*made);
    take_apart(made, type, row, result);
    return true;
  }
  const auto addresses = usable_addresses(address, row, false);
  for (unsigned first = 0; first < result.components; first += each) {
    const auto offset = first * element_bytes(type);
    llvm::SmallVector<llvm::Value*, 64> parts;
    for (auto* place : addresses) {
      auto* made =
          builder_.CreateAlignedLoad(word, offset_address(place, static_cast<std::int64_t>(offset)),
                                     llvm::commonAlignment(load.getAlign(), offset));
      copy_metadata(*made);
      parts.push_back(made);
    }
    if (bytes <= kLargestWord) {
      llvm::Value* words = llvm::PoisonValue::get(widened(word));
      for (unsigned lane = 0; lane < plan_.width; ++lane)
        words = builder_.CreateInsertElement(words, parts[lane], lane);
      take_apart(words, type, row, result);
      continue;
    }
    transpose(parts, each);
    for (unsigned c = 0; c < each; ++c)
      result.at(row, first + c) = parts[c];
  }
  return true;
}

// Where lanes that are not active may store to.
llvm::Value* Emitter::scratch_place(llvm::Type* pointer) {
  if (scratch_ == nullptr) {
    scratch_ =
        variable(llvm::ArrayType::get(builder_.getInt8Ty(), kLargestValue), "nobody.reads.this");
    scratch_->setAlignment(llvm::Align(kLargestValue));
  }
  return builder_.CreateAddrSpaceCast(scratch_, pointer);
}

bool Emitter::is_scattered(const llvm::StoreInst& store, unsigned row) const {
  return is_moved_by_words(store.getValueOperand()->getType(), *store.getPointerOperand(), row);
}

bool Emitter::store_pieces(const llvm::StoreInst& store, unsigned row) {
  const auto& value = *store.getValueOperand();
  const auto bytes = bytes_at_once(value.getType(), row);
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
    auto* made = builder_.CreateMaskedScatter(put_together(components), lanes(address, row),
                                              store.getAlign(), mask_or_all(row));
    copy_metadata(*made);
    return true;
  }
  const auto addresses = usable_addresses(address, row, true);
  for (unsigned first = 0; first < count; first += each) {
    const auto offset = first * element_bytes(type);
    llvm::SmallVector<llvm::Value*, 64> parts(components.begin() + first,
                                              components.begin() + first + each);
    if (bytes <= kLargestWord) {
      auto* words = count == 1 ? parts.front() : put_together(parts);
      parts.clear();
      for (unsigned lane = 0; lane < plan_.width; ++lane)
        parts.push_back(builder_.CreateExtractElement(words, lane));
    } else {
      transpose_back(parts);
    }
    for (unsigned lane = 0; lane < plan_.width; ++lane)
      copy_metadata(*builder_.CreateAlignedStore(
          parts[lane], offset_address(addresses[lane], static_cast<std::int64_t>(offset)),
          llvm::commonAlignment(store.getAlign(), offset)));
  }
  return true;
}

// From an integer for each lane to the components that it is made of.
void Emitter::take_apart(llvm::Value* words, llvm::Type& type, unsigned row, VectorValue& result) {
  auto* element = type.getScalarType();
  const auto bits = type.getScalarSizeInBits();
  const auto count = component_count(&type);
  if (count == 1) {
    result.at(row) = words;
    return;
  }
  if (bits >= 32) {
    auto* all =
        builder_.CreateBitCast(words, llvm::FixedVectorType::get(element, plan_.width * count));
    for (unsigned c = 0; c < count; ++c)
      result.at(row, c) = deinterleave(all, count, c);
    return;
  }
  for (unsigned c = 0; c < count; ++c) {
    auto* part = builder_.CreateTrunc(builder_.CreateLShr(words, std::uint64_t{c} * bits),
                                      widened(builder_.getIntNTy(bits)));
    result.at(row, c) = builder_.CreateBitCast(part, widened(element));
  }
}

// The other way round. A component without a value, such as the last one of a vector of three, must
// not take the others with it.
llvm::Value* Emitter::put_together(llvm::ArrayRef<llvm::Value*> parts) {
  llvm::SmallVector<llvm::Value*, 16> components;
  for (auto* part : parts)
    components.push_back(builder_.CreateFreeze(part));
  auto* part = llvm::cast<llvm::FixedVectorType>(components.front()->getType());
  const auto bits = part->getScalarSizeInBits();
  const auto count = static_cast<unsigned>(components.size());
  auto* word = widened(builder_.getIntNTy(bits * count));
  if (bits >= 32)
    return builder_.CreateBitCast(interleave(components), word);
  llvm::Value* words = llvm::Constant::getNullValue(word);
  for (unsigned c = 0; c < count; ++c) {
    auto* whole = builder_.CreateZExt(
        builder_.CreateBitCast(components[c], widened(builder_.getIntNTy(bits))), word);
    words = builder_.CreateOr(words, builder_.CreateShl(whole, std::uint64_t{c} * bits));
  }
  return words;
}

// Within each block of `block` elements: those of both from `first` on, in turns.
llvm::Value* Emitter::zip_blocks(llvm::Value* a, llvm::Value* b, unsigned block, unsigned first) {
  const auto count = llvm::cast<llvm::FixedVectorType>(a->getType())->getNumElements();
  llvm::SmallVector<int, 128> order;
  for (unsigned begin = first; begin < count; begin += block)
    for (unsigned i = 0; i < block / 2; ++i) {
      order.push_back(static_cast<int>(begin + i));
      order.push_back(static_cast<int>(count + begin + i));
    }
  return builder_.CreateShuffleVector(a, b, order);
}

// Rows of blocks that are as long as there are rows: the blocks are transposed.
void Emitter::transpose_blocks(llvm::SmallVectorImpl<llvm::Value*>& rows) {
  const auto count = static_cast<unsigned>(rows.size());
  for (unsigned done = 1; done < count; done *= 2) {
    llvm::SmallVector<llvm::Value*, 64> next;
    for (unsigned i = 0; i < count / 2; ++i) {
      next.push_back(zip_blocks(rows[i], rows[i + count / 2], count, 0));
      next.push_back(zip_blocks(rows[i], rows[i + count / 2], count, count / 2));
    }
    std::copy(next.begin(), next.end(), rows.begin());
  }
}

// From a vector of `count` components for each lane to a vector of all lanes for each component.
// Nothing leaves its block of `count` elements once lanes that are so far apart lie side by side:
// registers' parts of 16 bytes are shuffled each in itself.
void Emitter::transpose(llvm::SmallVectorImpl<llvm::Value*>& parts, unsigned count) {
  const auto blocks = std::max(plan_.width / count, 1U);
  auto* nothing = llvm::PoisonValue::get(parts.front()->getType());
  llvm::SmallVector<llvm::Value*, 64> rows;
  for (unsigned i = 0; i < count; ++i) {
    llvm::SmallVector<llvm::Value*, 64> side_by_side;
    for (unsigned lane = i; lane < blocks * count; lane += count)
      side_by_side.push_back(lane < plan_.width ? parts[lane] : nothing);
    rows.push_back(llvm::concatenateVectors(builder_, side_by_side));
  }
  transpose_blocks(rows);
  parts.clear();
  for (auto* row : rows)
    parts.push_back(plan_.width < count ? slice(row, 0, plan_.width) : row);
}

// The other way round.
void Emitter::transpose_back(llvm::SmallVectorImpl<llvm::Value*>& parts) {
  const auto count = static_cast<unsigned>(parts.size());
  for (auto*& part : parts)
    if (plan_.width < count)
      part = longer(builder_, part, count);
  transpose_blocks(parts);
  llvm::SmallVector<llvm::Value*, 64> of_lanes;
  for (unsigned lane = 0; lane < plan_.width; ++lane)
    of_lanes.push_back(slice(parts[lane % count], lane / count * count, count));
  parts.assign(of_lanes.begin(), of_lanes.end());
}

} // namespace heddle::compiler
