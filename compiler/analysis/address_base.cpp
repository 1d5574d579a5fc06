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

constexpr std::size_t kMaxTerms = 8;

class AddressSum {
 public:
  explicit AddressSum(Address& address) : address_(address) {}

  void add(AddressTerm term, Overflow overflow = Overflow::wraps) {
    take_constants(term, overflow);
    using namespace llvm::PatternMatch;
    const llvm::Value *first = nullptr, *second = nullptr;
    if (address_.base.terms.size() < kMaxTerms &&
        match(term.number, m_Add(m_Value(first), m_Value(second))) &&
        is_exact(*llvm::cast<llvm::BinaryOperator>(term.number), overflow)) {
      add({first, term.factor, term.is_zero_extended}, overflow);
      add({second, term.factor, term.is_zero_extended}, overflow);
      return;
    }
    if (const auto* extension = llvm::dyn_cast<llvm::CastInst>(term.number);
        extension != nullptr && overflow == Overflow::wraps &&
        llvm::isa<llvm::SExtInst, llvm::ZExtInst>(extension)) {
      // A number that is not negative is extended either way, and parts of it may be negative.
      const bool is_zero_extended = llvm::isa<llvm::ZExtInst>(extension) && !extension->hasNonNeg();
      add({extension->getOperand(0), term.factor, is_zero_extended},
          is_zero_extended ? Overflow::is_unsigned : Overflow::is_signed);
      return;
    }
    insert(term);
  }

 private:
  static bool is_exact(const llvm::BinaryOperator& number, Overflow overflow) {
    return overflow == Overflow::wraps ||
           (llvm::isa<llvm::OverflowingBinaryOperator>(number) &&
            (overflow == Overflow::is_signed ? number.hasNoSignedWrap()
                                             : number.hasNoUnsignedWrap()));
  }

  void insert(const AddressTerm& term) {
    auto& terms = address_.base.terms;
    auto* at = llvm::lower_bound(terms, term, [](const AddressTerm& a, const AddressTerm& b) {
      return std::pair(a.number, a.is_zero_extended) < std::pair(b.number, b.is_zero_extended);
    });
    if (at != terms.end() && at->number == term.number &&
        at->is_zero_extended == term.is_zero_extended)
      at->factor += term.factor;
    else
      terms.insert(at, term);
  }

  // Takes constant terms and factors out of the number.
  void take_constants(AddressTerm& term, Overflow overflow) {
    using namespace llvm::PatternMatch;
    const llvm::Value* operand = nullptr;
    const llvm::APInt* constant = nullptr;
    for (;;) {
      const auto* number = llvm::dyn_cast<llvm::BinaryOperator>(term.number);
      if (number == nullptr)
        return;
      const bool keeps_sums = is_exact(*number, overflow);
      const auto extended = [&] {
        return static_cast<std::uint64_t>(overflow == Overflow::is_unsigned
                                              ? static_cast<std::int64_t>(constant->getZExtValue())
                                              : constant->getSExtValue());
      };
      if (match(number, m_DisjointOr(m_Value(operand), m_APInt(constant))) ||
          (keeps_sums && match(number, m_Add(m_Value(operand), m_APInt(constant)))))
        address_.offset += extended() * term.factor;
      else if (keeps_sums && match(number, m_Mul(m_Value(operand), m_APInt(constant))))
        term.factor *= extended();
      else if (keeps_sums && match(number, m_Shl(m_Value(operand), m_APInt(constant))) &&
               constant->ult(32))
        term.factor <<= constant->getZExtValue();
      else
        return;
      term.number = operand;
    }
  }

  Address& address_;
};

} // namespace

Address address_of(const llvm::Value& pointer, const llvm::DataLayout& layout) {
  Address address;
  AddressSum sum(address);
  const auto* from = &pointer;
  for (;;) {
    llvm::APInt offset(layout.getIndexTypeSizeInBits(from->getType()), 0);
    from = from->stripAndAccumulateConstantOffsets(layout, offset, true);
    address.offset += static_cast<std::uint64_t>(offset.getSExtValue());
    const auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(from);
    if (gep == nullptr || gep->getNumIndices() != 1 ||
        !gep->getOperand(1)->getType()->isIntegerTy(64) || address.base.terms.size() >= kMaxTerms)
      break;
    sum.add(
        {gep->getOperand(1), layout.getTypeAllocSize(gep->getSourceElementType()).getFixedValue()});
    from = gep->getPointerOperand();
  }
  address.base.pointer = from;
  return address;
}

} // namespace heddle::compiler
