// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/analysis/private_arrays.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

#include <map>

namespace heddle::compiler {
namespace {

// Accesses of shorter numbers are of parts of such elements: hashes write bytes and words.
constexpr std::uint64_t kBytesOfWord = 4;

class ArrayUses {
 public:
  ArrayUses(const llvm::DataLayout& layout, PrivateArray& array) : layout_(layout), array_(array) {}

  bool run() {
    const auto size = array_.variable->getAllocationSize(layout_);
    if (!size || !collect(*array_.variable) || sizes_.empty())
      return false;
    choose_element();
    return llvm::alignTo(size->getFixedValue(), array_.element) <=
               static_cast<std::uint64_t>(bytes_per_lane(*array_.variable)) &&
           llvm::all_of(array_.accesses,
                        [&](const llvm::Instruction* access) { return fits(*access); }) &&
           llvm::all_of(array_.copies, [&](llvm::MemIntrinsic* copy) { return fits_copy(*copy); });
  }

 private:
  bool collect(llvm::Value& pointer) {
    for (auto& use : pointer.uses()) {
      auto* user = use.getUser();
      if (auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(user)) {
        if (address->getType()->isVectorTy() || use.getOperandNo() != 0 || !collect(*address))
          return false;
        array_.addresses.push_back(address);
      } else if (auto* cast = llvm::dyn_cast<llvm::AddrSpaceCastInst>(user)) {
        if (!collect(*cast))
          return false;
      } else if (auto* load = llvm::dyn_cast<llvm::LoadInst>(user)) {
        if (!load->isSimple() || !accept_access(load->getType()))
          return false;
        array_.accesses.push_back(load);
      } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) {
        if (!store->isSimple() || use.getOperandNo() != llvm::StoreInst::getPointerOperandIndex() ||
            !accept_access(store->getValueOperand()->getType()))
          return false;
        array_.accesses.push_back(store);
      } else if (auto* marker = llvm::dyn_cast<llvm::LifetimeIntrinsic>(user)) {
        array_.markers.push_back(marker);
      } else if (auto* copy = llvm::dyn_cast<llvm::MemIntrinsic>(user)) {
        if (copy->isVolatile() || !llvm::isa<llvm::ConstantInt>(copy->getLength()))
          return false;
        if (!llvm::is_contained(array_.copies, copy))
          array_.copies.push_back(copy);
      } else {
        return false;
      }
    }
    return true;
  }

  bool accept_access(llvm::Type* type) {
    auto* number = type->getScalarType();
    if (type->isAggregateType() || !layout_.typeSizeEqualsStoreSize(number) ||
        layout_.getTypeStoreSize(number) != layout_.getTypeAllocSize(number))
      return false;
    ++sizes_[layout_.getTypeStoreSize(number).getFixedValue()];
    return true;
  }

  // The size that most accesses have, of those that are not parts of words.
  void choose_element() {
    const auto shortest = std::min(kBytesOfWord, sizes_.rbegin()->first);
    unsigned most = 0;
    for (const auto& [size, count] : sizes_)
      if (size >= shortest && count > most) {
        array_.element = size;
        most = count;
      }
    array_.has_other_sizes = sizes_.size() > 1;
  }

  bool fits(const llvm::Instruction& access) const {
    auto* number = llvm::getLoadStoreType(&access)->getScalarType();
    const auto size = layout_.getTypeStoreSize(number).getFixedValue();
    // Longer ones are accessed as several elements.
    return (size <= array_.element || !number->isPointerTy()) &&
           is_multiple_of(*llvm::getLoadStorePointerOperand(&access),
                          std::min(size, array_.element), layout_);
  }

  bool fits_copy(llvm::MemIntrinsic& copy) const {
    const auto is_of_elements = [&](const llvm::Value* pointer) {
      return llvm::getUnderlyingObject(pointer, 0) != array_.variable ||
             is_multiple_of(*pointer, array_.element, layout_);
    };
    const auto* transfer = llvm::dyn_cast<llvm::MemTransferInst>(&copy);
    return llvm::cast<llvm::ConstantInt>(copy.getLength())->getZExtValue() % array_.element == 0 &&
           is_of_elements(copy.getDest()) &&
           (transfer == nullptr || is_of_elements(transfer->getSource()));
  }

  const llvm::DataLayout& layout_;
  PrivateArray& array_;
  std::map<std::uint64_t, unsigned> sizes_; // accesses by the bytes of their numbers
};

// A copy between two variables is expanded for both or for neither: they must have elements of the
// same size. Of two that have not, one with accesses of several sizes goes first. Returns whether a
// variable was dropped.
bool drop_unmatched(std::vector<PrivateArray>& arrays) {
  const auto is_unmatched = [&](const PrivateArray& array) {
    return llvm::any_of(array.copies, [&](llvm::MemIntrinsic* copy) {
      return llvm::any_of(arrays, [&](const PrivateArray& other) {
        return other.element != array.element && llvm::is_contained(other.copies, copy);
      });
    });
  };
  return std::erase_if(arrays,
                       [&](const PrivateArray& array) {
                         return array.has_other_sizes && is_unmatched(array);
                       }) != 0 ||
         std::erase_if(arrays, is_unmatched) != 0;
}

} // namespace

std::vector<PrivateArray> find_private_arrays(llvm::Function& kernel) {
  std::vector<PrivateArray> arrays;
  for (auto& instruction : kernel.getEntryBlock())
    if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
      PrivateArray array;
      array.variable = variable;
      if (ArrayUses(kernel.getParent()->getDataLayout(), array).run())
        arrays.push_back(std::move(array));
    }
  while (drop_unmatched(arrays)) {
  }
  return arrays;
}

bool is_multiple(const llvm::Value& index, const llvm::APInt& factor, std::uint64_t unit,
                 const llvm::DataLayout& layout) {
  const auto zeros = llvm::computeKnownBits(&index, layout).countMinTrailingZeros();
  return factor.shl(std::min(zeros, factor.getBitWidth() - 1))
             .srem(static_cast<std::int64_t>(unit)) == 0;
}

bool is_multiple_of(const llvm::Value& address, std::uint64_t unit,
                    const llvm::DataLayout& layout) {
  if (const auto* cast = llvm::dyn_cast<llvm::AddrSpaceCastInst>(&address))
    return is_multiple_of(*cast->getPointerOperand(), unit, layout);
  const auto* part = llvm::dyn_cast<llvm::GetElementPtrInst>(&address);
  if (part == nullptr)
    return true;
  llvm::SmallMapVector<llvm::Value*, llvm::APInt, 4> variable;
  llvm::APInt constant(64, 0);
  return llvm::cast<llvm::GEPOperator>(part)->collectOffset(layout, 64, variable, constant) &&
         constant.srem(static_cast<std::int64_t>(unit)) == 0 &&
         llvm::all_of(
             variable,
             [&](auto& index) { return is_multiple(*index.first, index.second, unit, layout); }) &&
         is_multiple_of(*part->getPointerOperand(), unit, layout);
}

std::int64_t bytes_per_lane(const llvm::AllocaInst& variable) {
  const auto size = variable.getAllocationSize(variable.getDataLayout())->getFixedValue();
  return static_cast<std::int64_t>(llvm::alignTo(size, variable.getAlign()));
}

} // namespace heddle::compiler
