// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/analysis/address_base.h"

#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

namespace heddle::compiler {
namespace {

// Whether the number's sums and products are those of its extension.
enum class Overflow : std::uint8_t {
  wraps,     // it has the size of addresses, and may wrap around as they do
  is_signed, // if it has no signed overflow
  is_unsigned,
};

// Takes constant terms and factors out of the base's number.
void take_constants(Address& address, Overflow overflow) {
  using namespace llvm::PatternMatch;
  const llvm::Value* operand = nullptr;
  const llvm::APInt* constant = nullptr;
  for (;;) {
    const auto* number = llvm::dyn_cast<llvm::BinaryOperator>(address.base.number);
    if (number == nullptr)
      return;
    const bool may_overflow = llvm::isa<llvm::OverflowingBinaryOperator>(number);
    const bool is_exact =
        overflow == Overflow::wraps ||
        (may_overflow && (overflow == Overflow::is_signed ? number->hasNoSignedWrap()
                                                          : number->hasNoUnsignedWrap()));
    const auto extended = [&] {
      return static_cast<std::uint64_t>(overflow == Overflow::is_unsigned
                                            ? static_cast<std::int64_t>(constant->getZExtValue())
                                            : constant->getSExtValue());
    };
    if (match(number, m_DisjointOr(m_Value(operand), m_APInt(constant))) ||
        (is_exact && match(number, m_Add(m_Value(operand), m_APInt(constant)))))
      address.offset += extended() * address.base.factor;
    else if (is_exact && match(number, m_Mul(m_Value(operand), m_APInt(constant))))
      address.base.factor *= extended();
    else if (is_exact && match(number, m_Shl(m_Value(operand), m_APInt(constant))) &&
             constant->ult(32))
      address.base.factor <<= constant->getZExtValue();
    else
      return;
    address.base.number = operand;
  }
}

} // namespace

Address address_of(const llvm::Value& pointer, const llvm::DataLayout& layout) {
  llvm::APInt offset(layout.getIndexTypeSizeInBits(pointer.getType()), 0);
  Address address;
  address.base.pointer = pointer.stripAndAccumulateConstantOffsets(layout, offset, true);
  address.offset = static_cast<std::uint64_t>(offset.getSExtValue());
  const auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(address.base.pointer);
  if (gep == nullptr || gep->getNumIndices() != 1 ||
      !gep->getOperand(1)->getType()->isIntegerTy(64))
    return address;
  address.base = {gep->getPointerOperand(), gep->getOperand(1),
                  layout.getTypeAllocSize(gep->getSourceElementType()).getFixedValue()};
  take_constants(address, Overflow::wraps);
  if (const auto* extension = llvm::dyn_cast<llvm::CastInst>(address.base.number);
      extension != nullptr && llvm::isa<llvm::SExtInst, llvm::ZExtInst>(extension)) {
    address.base.number = extension->getOperand(0);
    // A number that is not negative is extended either way, and parts of it may be negative.
    address.base.is_zero_extended = llvm::isa<llvm::ZExtInst>(extension) && !extension->hasNonNeg();
    take_constants(address,
                   address.base.is_zero_extended ? Overflow::is_unsigned : Overflow::is_signed);
  }
  return address;
}

} // namespace heddle::compiler
