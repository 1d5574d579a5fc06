// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/emit/emit_part_access.h"

#include "compiler/vectorize/analysis/interleave_private_arrays.h"
#include "llvm/Analysis/ValueTracking.h"

namespace heddle::compiler {
namespace {

// The bytes of the elements of which the address may be in a part; 0: it is not in such an array.
Stride element_of_array(const llvm::Value& address) {
  const auto* variable =
      llvm::dyn_cast<llvm::AllocaInst>(llvm::getUnderlyingObject(&address, /*MaxLookup=*/0));
  return variable == nullptr ? 0 : interleaved_stride(*variable).value_or(0);
}

// Of elements: masks are of words, and numbers of 16 bytes are accessed in halves.
constexpr Stride kMinMaskedElement = 4, kMaxElementOfParts = 8;

} // namespace

bool PartAccessEmitter::is_part(const llvm::Value& address, const llvm::Type& type,
                                unsigned row) const {
  const auto stride = shapes_.stride(address);
  if (!stride || !(type.isIntegerTy() || type.isFloatingPointTy()) ||
      static_cast<Stride>(type.getPrimitiveSizeInBits()) >= *stride * 8)
    return false;
  // Masks are of words.
  return *stride <= kMaxElementOfParts && *stride == element_of_array(address) &&
         (mask(row) == nullptr || (plan_.has_masked_accesses && *stride >= kMinMaskedElement));
}

PartAccessEmitter::Place PartAccessEmitter::find_place(const llvm::Value& address,
                                                       llvm::Value* first) {
  const auto bytes = static_cast<std::uint64_t>(element_of_array(address));
  Place place;
  auto* element = builder_.getIntNTy(static_cast<unsigned>(bytes) * 8);
  place.elements = llvm::FixedVectorType::get(element, plan_.width);
  place.align = llvm::Align(bytes);
  const auto index_bits = layout_.getIndexTypeSizeInBits(first->getType());
  const auto known = llvm::computeKnownBits(first, layout_);
  const auto low = llvm::APInt::getLowBitsSet(index_bits, llvm::Log2_64(bytes));
  if (low.isSubsetOf(known.Zero | known.One)) {
    const auto inside = (known.One & low).getZExtValue();
    place.address = offset_address(first, -static_cast<std::int64_t>(inside));
    place.shift = llvm::ConstantInt::get(element, inside * 8);
    return place;
  }
  auto* index = builder_.getIntNTy(index_bits);
  place.address = builder_.CreateIntrinsic(llvm::Intrinsic::ptrmask, {first->getType(), index},
                                           {first, llvm::ConstantInt::get(index, ~low)});
  auto* inside =
      builder_.CreateAnd(builder_.CreatePtrToInt(first, index), llvm::ConstantInt::get(index, low));
  place.shift = builder_.CreateShl(builder_.CreateZExtOrTrunc(inside, element), 3);
  return place;
}

// Without metadata: it reads what other accesses write, too.
llvm::Value* PartAccessEmitter::load_elements(const Place& place, unsigned row) {
  return mask(row) == nullptr
             ? static_cast<llvm::Value*>(
                   builder_.CreateAlignedLoad(place.elements, place.address, place.align))
             : builder_.CreateMaskedLoad(place.elements, place.address, place.align, mask(row));
}

llvm::Value* PartAccessEmitter::load(const llvm::LoadInst& load, unsigned row, llvm::Value* first) {
  const auto place = find_place(*load.getPointerOperand(), first);
  auto* bits = llvm::FixedVectorType::get(
      builder_.getIntNTy(static_cast<unsigned>(load.getType()->getPrimitiveSizeInBits())),
      plan_.width);
  auto* shifted = builder_.CreateLShr(load_elements(place, row),
                                      builder_.CreateVectorSplat(plan_.width, place.shift));
  return builder_.CreateBitCast(builder_.CreateTrunc(shifted, bits), widened(load.getType()));
}

void PartAccessEmitter::store(const llvm::StoreInst& store, unsigned row, llvm::Value* first) {
  const auto& value = *store.getValueOperand();
  const auto place = find_place(*store.getPointerOperand(), first);
  const auto bits = static_cast<unsigned>(value.getType()->getPrimitiveSizeInBits());
  auto* element = place.elements->getElementType();
  auto* part = builder_.CreateBitCast(
      lanes(value, row), llvm::FixedVectorType::get(builder_.getIntNTy(bits), plan_.width));
  auto* others = builder_.CreateNot(builder_.CreateShl(
      llvm::ConstantInt::get(element,
                             llvm::APInt::getLowBitsSet(element->getScalarSizeInBits(), bits)),
      place.shift));
  auto* kept = builder_.CreateAnd(load_elements(place, row),
                                  builder_.CreateVectorSplat(plan_.width, others));
  auto* put = builder_.CreateShl(builder_.CreateZExt(part, place.elements),
                                 builder_.CreateVectorSplat(plan_.width, place.shift));
  auto* stored = builder_.CreateOr(kept, put);
  if (mask(row) == nullptr)
    builder_.CreateAlignedStore(stored, place.address, place.align);
  else
    builder_.CreateMaskedStore(stored, place.address, place.align, mask(row));
}

} // namespace heddle::compiler
