// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/analysis/interleave_private_arrays.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace heddle::compiler {
namespace {

constexpr llvm::StringLiteral kInterleaved = "heddle.interleaved";
// Copies of at most this many elements are unrolled.
constexpr std::uint64_t kMaxUnrolledElements = 16;

// A variable and all uses of its address.
struct Array {
  llvm::AllocaInst* variable;
  std::uint64_t element = 0; // bytes
  llvm::SmallVector<llvm::GetElementPtrInst*, 16> addresses;
  llvm::SmallVector<llvm::Instruction*, 16> accesses; // loads and stores
  llvm::SmallVector<llvm::MemIntrinsic*, 4> copies;
  llvm::SmallVector<llvm::Instruction*, 4> markers; // lifetime intrinsics
};

class ArrayUses {
 public:
  ArrayUses(const llvm::DataLayout& layout, Array& array) : layout_(layout), array_(array) {}

  bool run() {
    const auto size = array_.variable->getAllocationSize(layout_);
    return size && collect(*array_.variable) && array_.element != 0 &&
           size->getFixedValue() % array_.element == 0 && are_offsets_aligned();
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
        if (!load->isSimple() || !accept_element(load->getType()))
          return false;
        array_.accesses.push_back(load);
      } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) {
        if (!store->isSimple() || use.getOperandNo() != llvm::StoreInst::getPointerOperandIndex() ||
            !accept_element(store->getValueOperand()->getType()))
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

  bool accept_element(llvm::Type* type) {
    auto* element = type->getScalarType();
    if (type->isAggregateType() || !layout_.typeSizeEqualsStoreSize(element) ||
        layout_.getTypeStoreSize(element) != layout_.getTypeAllocSize(element))
      return false;
    const auto size = layout_.getTypeStoreSize(element).getFixedValue();
    if (array_.element == 0)
      array_.element = size;
    return array_.element == size;
  }

  // A number that divides index * factor. Loop strength reduction, as in Clang's SPIR-V backend,
  // lets an index count bytes: its factor is 1, but its lower bits are known to be 0.
  llvm::APInt multiple(const llvm::Value* index, const llvm::APInt& factor) const {
    const auto zeros = llvm::computeKnownBits(index, layout_).countMinTrailingZeros();
    return factor.shl(std::min(zeros, factor.getBitWidth() - 1));
  }

  bool are_offsets_aligned() const {
    const auto fits = [&](const llvm::APInt& distance) {
      return distance.srem(static_cast<std::int64_t>(array_.element)) == 0;
    };
    for (auto* address : array_.addresses) {
      llvm::SmallMapVector<llvm::Value*, llvm::APInt, 4> variable;
      llvm::APInt constant(64, 0);
      if (!llvm::cast<llvm::GEPOperator>(address)->collectOffset(layout_, 64, variable, constant) ||
          !fits(constant) || llvm::any_of(variable, [&](auto& part) {
            return !fits(multiple(part.first, part.second));
          }))
        return false;
    }
    return llvm::all_of(array_.copies, [&](llvm::MemIntrinsic* copy) {
      return llvm::cast<llvm::ConstantInt>(copy->getLength())->getZExtValue() % array_.element == 0;
    });
  }

  const llvm::DataLayout& layout_;
  Array& array_;
};

class Rewriter {
 public:
  Rewriter(llvm::Function& kernel, unsigned width)
      : layout_(kernel.getParent()->getDataLayout()), width_(width) {}

  void expand_copies(llvm::ArrayRef<Array> arrays) {
    llvm::SetVector<llvm::MemIntrinsic*> copies;
    for (const auto& array : arrays)
      copies.insert(array.copies.begin(), array.copies.end());
    for (auto* copy : copies)
      expand(*copy, element_of(arrays, *copy));
  }

  void rewrite(const Array& array) {
    auto& context = array.variable->getContext();
    auto* i64 = llvm::Type::getInt64Ty(context);
    array.variable->setMetadata(
        kInterleaved, llvm::MDNode::get(context, llvm::ConstantAsMetadata::get(
                                                     llvm::ConstantInt::get(i64, array.element))));
    for (auto* marker : array.markers)
      marker->eraseFromParent();
    for (auto* access : array.accesses)
      split(*access, array.element);
    for (auto* address : array.addresses)
      scale(*address);
  }

 private:
  static std::uint64_t element_of(llvm::ArrayRef<Array> arrays, llvm::MemIntrinsic& copy) {
    for (const auto& array : arrays)
      if (llvm::is_contained(array.copies, &copy))
        return array.element;
    return 1;
  }

  // Replaces the copy by loads and stores of single elements, whose addresses are scaled later with
  // all others.
  void expand(llvm::MemIntrinsic& copy, std::uint64_t element) {
    auto& context = copy.getContext();
    auto* type = llvm::Type::getIntNTy(context, static_cast<unsigned>(element) * 8);
    const auto count = llvm::cast<llvm::ConstantInt>(copy.getLength())->getZExtValue() / element;
    llvm::IRBuilder<> builder(&copy);
    llvm::Value* fill = nullptr;
    if (auto* set = llvm::dyn_cast<llvm::MemSetInst>(&copy)) {
      fill = builder.CreateZExtOrTrunc(set->getValue(), type);
      fill = builder.CreateMul(
          fill, llvm::ConstantInt::get(
                    type, llvm::APInt::getSplat(type->getBitWidth(), llvm::APInt(8, 1))));
    }
    const auto move = [&](llvm::IRBuilder<>& at, llvm::Value* index) {
      auto* value = fill;
      const llvm::Align align(1);
      if (auto* transfer = llvm::dyn_cast<llvm::MemTransferInst>(&copy))
        value = at.CreateAlignedLoad(type, at.CreateGEP(type, transfer->getSource(), index), align);
      at.CreateAlignedStore(value, at.CreateGEP(type, copy.getDest(), index), align);
    };
    if (count <= kMaxUnrolledElements) {
      // All loads first: source and destination may overlap.
      llvm::SmallVector<llvm::Value*, 16> values(count, fill);
      if (auto* transfer = llvm::dyn_cast<llvm::MemTransferInst>(&copy))
        for (std::uint64_t i = 0; i < count; ++i)
          values[i] = builder.CreateAlignedLoad(
              type, builder.CreateGEP(type, transfer->getSource(), builder.getInt64(i)),
              llvm::Align(1));
      for (std::uint64_t i = 0; i < count; ++i)
        builder.CreateAlignedStore(values[i],
                                   builder.CreateGEP(type, copy.getDest(), builder.getInt64(i)),
                                   llvm::Align(1));
    } else {
      auto [body, index] =
          llvm::SplitBlockAndInsertSimpleForLoop(builder.getInt64(count), copy.getIterator());
      llvm::IRBuilder<> inside(body);
      inside.SetCurrentDebugLocation(copy.getDebugLoc());
      move(inside, index);
    }
    copy.eraseFromParent();
  }

  // Replaces an access of a vector by accesses of its components, which are `width` elements apart.
  void split(llvm::Instruction& access, std::uint64_t element) const {
    auto* pointer = const_cast<llvm::Value*>(llvm::getLoadStorePointerOperand(&access));
    const auto align = llvm::Align(std::min<std::uint64_t>(element, 8));
    auto* type = llvm::dyn_cast<llvm::FixedVectorType>(llvm::getLoadStoreType(&access));
    if (type == nullptr) {
      llvm::isa<llvm::LoadInst>(access) ? llvm::cast<llvm::LoadInst>(access).setAlignment(align)
                                        : llvm::cast<llvm::StoreInst>(access).setAlignment(align);
      return;
    }
    llvm::IRBuilder<> builder(&access);
    const auto component_address = [&](unsigned i) {
      return builder.CreateGEP(builder.getInt8Ty(), pointer,
                               builder.getInt64(i * element * width_));
    };
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&access)) {
      for (unsigned i = 0; i < type->getNumElements(); ++i)
        builder.CreateAlignedStore(builder.CreateExtractElement(store->getValueOperand(), i),
                                   component_address(i), align);
    } else {
      llvm::Value* vector = llvm::PoisonValue::get(type);
      for (unsigned i = 0; i < type->getNumElements(); ++i)
        vector = builder.CreateInsertElement(
            vector, builder.CreateAlignedLoad(type->getElementType(), component_address(i), align),
            i);
      access.replaceAllUsesWith(vector);
    }
    access.eraseFromParent();
  }

  void scale(llvm::GetElementPtrInst& address) const {
    llvm::SmallMapVector<llvm::Value*, llvm::APInt, 4> variable;
    llvm::APInt constant(64, 0);
    llvm::cast<llvm::GEPOperator>(address).collectOffset(layout_, 64, variable, constant);
    llvm::IRBuilder<> builder(&address);
    auto* pointer = address.getPointerOperand();
    for (const auto& [index, factor] : variable)
      pointer = builder.CreateGEP(
          builder.getInt8Ty(), pointer,
          builder.CreateMul(builder.CreateSExtOrTrunc(index, builder.getInt64Ty()),
                            builder.getInt64(factor.getZExtValue() * width_)));
    if (!constant.isZero())
      pointer = builder.CreateGEP(builder.getInt8Ty(), pointer,
                                  builder.getInt64(constant.getZExtValue() * width_));
    address.replaceAllUsesWith(pointer);
    address.eraseFromParent();
  }

  const llvm::DataLayout& layout_;
  unsigned width_;
};

// A copy between two variables is expanded for both or for neither: they must have elements of the
// same size. Returns whether a variable was dropped.
bool drop_unmatched(std::vector<Array>& arrays) {
  const auto bad = [&](const Array& array) {
    return llvm::any_of(array.copies, [&](llvm::MemIntrinsic* copy) {
      return llvm::any_of(arrays, [&](const Array& other) {
        return other.element != array.element && llvm::is_contained(other.copies, copy);
      });
    });
  };
  return std::erase_if(arrays, bad) != 0;
}

std::vector<Array> find_arrays(llvm::Function& kernel) {
  std::vector<Array> arrays;
  for (auto& instruction : kernel.getEntryBlock())
    if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
      Array array{variable, 0, {}, {}, {}, {}};
      if (ArrayUses(kernel.getParent()->getDataLayout(), array).run())
        arrays.push_back(std::move(array));
    }
  while (drop_unmatched(arrays)) {
  }
  return arrays;
}

} // namespace

void interleave_private_arrays(llvm::Function& kernel, unsigned width) {
  Rewriter rewriter(kernel, width);
  auto arrays = find_arrays(kernel);
  rewriter.expand_copies(arrays);
  // The search is repeated to include the accesses that the copies were expanded to.
  llvm::SmallPtrSet<llvm::AllocaInst*, 8> chosen;
  for (const auto& array : arrays)
    chosen.insert(array.variable);
  for (const auto& array : find_arrays(kernel))
    if (chosen.contains(array.variable))
      rewriter.rewrite(array);
}

bool has_private_variables(const llvm::Function& kernel) {
  return llvm::any_of(llvm::instructions(kernel), [](const llvm::Instruction& instruction) {
    return llvm::isa<llvm::AllocaInst>(instruction);
  });
}

std::optional<std::int64_t> interleaved_stride(const llvm::AllocaInst& variable) {
  const auto* node = variable.getMetadata(kInterleaved);
  if (node == nullptr)
    return std::nullopt;
  return llvm::mdconst::extract<llvm::ConstantInt>(node->getOperand(0))->getSExtValue();
}

std::int64_t bytes_per_lane(const llvm::AllocaInst& variable) {
  const auto size = variable.getAllocationSize(variable.getDataLayout())->getFixedValue();
  return static_cast<std::int64_t>(llvm::alignTo(size, variable.getAlign()));
}

} // namespace heddle::compiler
