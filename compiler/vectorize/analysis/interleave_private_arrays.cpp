// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/analysis/interleave_private_arrays.h"

#include "compiler/vectorize/analysis/private_arrays.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/InstSimplifyFolder.h"
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

class Rewriter {
 public:
  Rewriter(llvm::Function& kernel, unsigned width)
      : layout_(kernel.getParent()->getDataLayout()), width_(width) {}

  void expand_copies(llvm::ArrayRef<PrivateArray> arrays) {
    llvm::SetVector<llvm::MemIntrinsic*> copies;
    for (const auto& array : arrays)
      copies.insert(array.copies.begin(), array.copies.end());
    for (auto* copy : copies)
      expand(*copy, element_of(arrays, *copy));
  }

  void rewrite(const PrivateArray& array) {
    auto& context = array.variable->getContext();
    auto* i64 = llvm::Type::getInt64Ty(context);
    array.variable->setMetadata(
        kInterleaved, llvm::MDNode::get(context, llvm::ConstantAsMetadata::get(
                                                     llvm::ConstantInt::get(i64, array.element))));
    for (auto* marker : array.markers)
      marker->eraseFromParent();
    // Parts of elements first, while addresses count bytes of a lane's own array.
    for (auto* access : array.accesses)
      if (auto* made = by_elements(*access, array); made != nullptr)
        split(*made, array.element);
    for (auto* address : array.addresses)
      scale(*address);
  }

 private:
  static std::uint64_t element_of(llvm::ArrayRef<PrivateArray> arrays, llvm::MemIntrinsic& copy) {
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

  // The access as one of whole elements; null: it was replaced by accesses of parts of elements.
  llvm::Instruction* by_elements(llvm::Instruction& access, const PrivateArray& array) const {
    auto* type = llvm::getLoadStoreType(&access);
    const auto bytes = layout_.getTypeStoreSize(type).getFixedValue();
    const auto size = layout_.getTypeStoreSize(type->getScalarType()).getFixedValue();
    auto* pointer = const_cast<llvm::Value*>(llvm::getLoadStorePointerOperand(&access));
    if (size == array.element)
      return &access;
    if (bytes % array.element != 0 || type->isPtrOrPtrVectorTy() ||
        !is_multiple_of(*pointer, array.element, layout_)) {
      access_parts(access, array, size);
      return nullptr;
    }
    llvm::IRBuilder<> builder(&access);
    llvm::Type* elements = builder.getIntNTy(static_cast<unsigned>(array.element) * 8);
    if (bytes != array.element)
      elements = llvm::FixedVectorType::get(elements, static_cast<unsigned>(bytes / array.element));
    llvm::Instruction* made = nullptr;
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&access)) {
      made =
          builder.CreateStore(builder.CreateBitCast(store->getValueOperand(), elements), pointer);
    } else {
      made = builder.CreateLoad(elements, pointer);
      access.replaceAllUsesWith(builder.CreateBitCast(made, type));
    }
    access.eraseFromParent();
    return made;
  }

  // Replaces an access of numbers of `size` bytes, which are parts of elements.
  void access_parts(llvm::Instruction& access, const PrivateArray& array,
                    std::uint64_t size) const {
    auto* type = llvm::getLoadStoreType(&access);
    auto* number = type->getScalarType();
    const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
    const llvm::Align align(std::min<std::uint64_t>(size, 8));
    llvm::IRBuilder<> builder(&access);
    auto* store = llvm::dyn_cast<llvm::StoreInst>(&access);
    llvm::Value* loaded = llvm::PoisonValue::get(type);
    for (unsigned i = 0; i < (vector == nullptr ? 1 : vector->getNumElements()); ++i) {
      auto* address = address_of_part(array, access, i * size);
      if (store != nullptr) {
        auto* value = store->getValueOperand();
        builder.CreateAlignedStore(
            vector == nullptr ? value : builder.CreateExtractElement(value, i), address, align);
      } else {
        auto* part = builder.CreateAlignedLoad(number, address, align);
        loaded = vector == nullptr ? part : builder.CreateInsertElement(loaded, part, i);
      }
    }
    if (store == nullptr)
      access.replaceAllUsesWith(loaded);
    access.eraseFromParent();
  }

  // Where `added` bytes behind the accessed address of a lane's own array are: in the same place of
  // an element, which is `width` times as far from the start.
  llvm::Value* address_of_part(const PrivateArray& array, llvm::Instruction& access,
                               std::uint64_t added) const {
    llvm::IRBuilder builder(access.getContext(), llvm::InstSimplifyFolder(layout_));
    builder.SetInsertPoint(&access);
    llvm::Value* elements = builder.getInt64(0); // bytes of whole ones
    llvm::Value* others = builder.getInt64(0);
    llvm::APInt constant(64, added);
    const auto* address = llvm::getLoadStorePointerOperand(&access);
    while (const auto* step = llvm::dyn_cast<llvm::Instruction>(address)) {
      if (step == array.variable)
        break;
      if (const auto* part = llvm::dyn_cast<llvm::GetElementPtrInst>(step)) {
        llvm::SmallMapVector<llvm::Value*, llvm::APInt, 4> variable;
        llvm::cast<llvm::GEPOperator>(part)->collectOffset(layout_, 64, variable, constant);
        for (const auto& [index, factor] : variable) {
          auto& sum = is_multiple(*index, factor, array.element, layout_) ? elements : others;
          sum = builder.CreateAdd(
              sum, builder.CreateMul(builder.CreateSExtOrTrunc(index, builder.getInt64Ty()),
                                     builder.getInt64(factor.getZExtValue())));
        }
      }
      address = step->getOperand(0);
    }
    others = builder.CreateAdd(others, builder.getInt(constant));
    auto* inside = builder.CreateAnd(others, builder.getInt64(array.element - 1));
    elements =
        builder.CreateAdd(elements, builder.CreateAnd(others, builder.getInt64(-array.element)));
    auto* distance =
        builder.CreateAdd(builder.CreateMul(elements, builder.getInt64(width_)), inside);
    return builder.CreateGEP(builder.getInt8Ty(), array.variable, distance);
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
    if (address.use_empty()) { // of parts of elements
      address.eraseFromParent();
      return;
    }
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

} // namespace

void interleave_private_arrays(llvm::Function& kernel, unsigned width) {
  Rewriter rewriter(kernel, width);
  auto arrays = find_private_arrays(kernel);
  rewriter.expand_copies(arrays);
  // The search is repeated to include the accesses that the copies were expanded to.
  llvm::SmallPtrSet<llvm::AllocaInst*, 8> chosen;
  for (const auto& array : arrays)
    chosen.insert(array.variable);
  for (const auto& array : find_private_arrays(kernel))
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

} // namespace heddle::compiler
