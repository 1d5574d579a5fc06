// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/analysis/vector_value.h"

namespace heddle::compiler {

unsigned component_count(llvm::Type* type) {
  if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type))
    return vector->getNumElements();
  if (const auto* array = llvm::dyn_cast<llvm::ArrayType>(type))
    return static_cast<unsigned>(array->getNumElements()) *
           component_count(array->getElementType());
  if (const auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
    unsigned count = 0;
    for (auto* element : structure->elements())
      count += component_count(element);
    return count;
  }
  return 1;
}

llvm::Type* component_type(llvm::Type* type, unsigned index) {
  if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type))
    return vector->getElementType();
  if (const auto* array = llvm::dyn_cast<llvm::ArrayType>(type))
    return component_type(array->getElementType(),
                          index % component_count(array->getElementType()));
  if (const auto* structure = llvm::dyn_cast<llvm::StructType>(type))
    for (auto* element : structure->elements()) {
      const auto count = component_count(element);
      if (index < count)
        return component_type(element, index);
      index -= count;
    }
  return type;
}

std::uint64_t component_offset(llvm::Type* type, unsigned index, const llvm::DataLayout& layout) {
  if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type))
    return index * (layout.getTypeSizeInBits(vector->getElementType()).getFixedValue() / 8);
  if (const auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    auto* element = array->getElementType();
    const auto count = component_count(element);
    return index / count * layout.getTypeAllocSize(element).getFixedValue() +
           component_offset(element, index % count, layout);
  }
  if (auto* structure = llvm::dyn_cast<llvm::StructType>(type))
    for (unsigned i = 0; i < structure->getNumElements(); ++i) {
      auto* element = structure->getElementType(i);
      const auto count = component_count(element);
      if (index < count)
        return layout.getStructLayout(structure)->getElementOffset(i).getFixedValue() +
               component_offset(element, index, layout);
      index -= count;
    }
  return 0;
}

unsigned first_component(llvm::Type* type, unsigned index) {
  if (const auto* array = llvm::dyn_cast<llvm::ArrayType>(type))
    return index * component_count(array->getElementType());
  if (const auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
    unsigned first = 0;
    for (unsigned i = 0; i < index; ++i)
      first += component_count(structure->getElementType(i));
    return first;
  }
  return index;
}

} // namespace heddle::compiler
