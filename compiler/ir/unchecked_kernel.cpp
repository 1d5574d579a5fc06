// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/unchecked_kernel.h"

#include "llvm/IR/Module.h"

namespace heddle::compiler {
namespace {

constexpr llvm::StringLiteral kSuffix = ".unchecked";
// Of bodies and entries: of a second kernel. Of bodies: the name of the order condition.
constexpr llvm::StringLiteral kUncheckedAttribute = "heddle-unchecked";
constexpr llvm::StringLiteral kConditionAttribute = "heddle-order-condition";

} // namespace

bool is_unchecked_kernel(const Kernel& kernel) {
  // The body may be inlined and gone.
  return (kernel.entry != nullptr ? kernel.entry : kernel.body)
      ->hasFnAttribute(kUncheckedAttribute);
}

void set_unchecked_entry(Kernel& kernel, llvm::Function& entry) {
  entry.setLinkage(llvm::GlobalValue::InternalLinkage);
  entry.addFnAttr(kUncheckedAttribute);
  entry.addFnAttr(llvm::Attribute::NoInline);
  kernel.entry = &entry;
}

Kernel make_unchecked_kernel(Kernel& kernel, llvm::Function& body,
                             const llvm::Function& condition) {
  kernel.body->addFnAttr(kConditionAttribute, condition.getName());
  body.setName(kernel.body->getName() + kSuffix);
  body.addFnAttr(kUncheckedAttribute);
  auto second = kernel;
  second.metadata.name += kSuffix;
  second.body = &body;
  return second;
}

Kernel* unchecked_kernel(Kernels& kernels, const Kernel& kernel) {
  const auto name = kernel.metadata.name + kSuffix.str();
  const auto found = llvm::find_if(kernels, [&](const Kernel& other) {
    return is_unchecked_kernel(other) && other.metadata.name == name;
  });
  return found == kernels.end() ? nullptr : &*found;
}

llvm::Function* order_condition(const Kernel& kernel) {
  return kernel.body->getParent()->getFunction(
      kernel.body->getFnAttribute(kConditionAttribute).getValueAsString());
}

} // namespace heddle::compiler
