// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/kernel_attributes.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Metadata.h"

namespace heddle::compiler {
namespace {

std::uint64_t number(const llvm::MDNode& node, unsigned index) {
  if (index >= node.getNumOperands())
    return 0;
  const auto* value = llvm::mdconst::dyn_extract<llvm::ConstantInt>(node.getOperand(index));
  return value != nullptr ? value->getZExtValue() : 0;
}

void append(std::string& list, const std::string& attribute) {
  list += (list.empty() ? "" : " ") + attribute;
}

void append_size(std::string& list, const llvm::Function& kernel, const char* name) {
  if (const auto* node = kernel.getMetadata(name))
    append(list, std::string(name) + "(" + std::to_string(number(*node, 0)) + "," +
                     std::to_string(number(*node, 1)) + "," + std::to_string(number(*node, 2)) +
                     ")");
}

// The operands of vec_type_hint: a value of the type, and whether it is signed.
std::string type_name(const llvm::MDNode& node) {
  const auto* value = llvm::dyn_cast<llvm::ValueAsMetadata>(node.getOperand(0).get());
  if (value == nullptr)
    return {};
  const auto* type = value->getType();
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  const auto* scalar = type->getScalarType();
  std::string name;
  if (scalar->isHalfTy())
    name = "half";
  else if (scalar->isFloatTy())
    name = "float";
  else if (scalar->isDoubleTy())
    name = "double";
  else if (scalar->isIntegerTy()) {
    name = number(node, 1) != 0 ? "" : "u";
    switch (scalar->getIntegerBitWidth()) {
    case 8:
      name += "char";
      break;
    case 16:
      name += "short";
      break;
    case 32:
      name += "int";
      break;
    default:
      name += "long";
      break;
    }
  }
  return vector != nullptr ? name + std::to_string(vector->getNumElements()) : name;
}

} // namespace

std::string kernel_attributes(const llvm::Function& kernel) {
  std::string list;
  if (const auto* node = kernel.getMetadata("vec_type_hint"))
    append(list, "vec_type_hint(" + type_name(*node) + ")");
  append_size(list, kernel, "work_group_size_hint");
  append_size(list, kernel, "reqd_work_group_size");
  if (const auto* node = kernel.getMetadata("intel_reqd_sub_group_size"))
    append(list, "intel_reqd_sub_group_size(" + std::to_string(number(*node, 0)) + ")");
  return list;
}

} // namespace heddle::compiler
