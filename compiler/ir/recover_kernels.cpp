// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/recover_kernels.h"

namespace heddle::compiler {
namespace {

constexpr struct {
  VariantKind kind;
  llvm::StringLiteral name;
} kVariantNames[] = {
    {VariantKind::whole, "whole"},   {VariantKind::tail, "tail"},
    {VariantKind::block, "block"},   {VariantKind::crossing, "crossing"},
    {VariantKind::scalar, "scalar"}, {VariantKind::leader, "leader"},
};

Kernel& find_or_add(Kernels& kernels, llvm::StringRef name) {
  for (auto& kernel : kernels)
    if (kernel.metadata.name == name)
      return kernel;
  auto& kernel = kernels.emplace_back();
  kernel.metadata.name = name;
  return kernel;
}

} // namespace

llvm::StringRef variant_name(VariantKind kind) {
  for (const auto& variant : kVariantNames)
    if (variant.kind == kind)
      return variant.name;
  return "";
}

void recover_kernels(llvm::Module& module, Kernels& kernels) {
  for (auto& function : module) {
    if (!function.hasFnAttribute(kKernelAttribute) || function.isDeclaration())
      continue;
    auto& kernel =
        find_or_add(kernels, function.getFnAttribute(kKernelAttribute).getValueAsString());
    if (!function.hasFnAttribute(kVariantAttribute)) {
      kernel.body = &function;
      continue;
    }
    const auto [kind, width] =
        function.getFnAttribute(kVariantAttribute).getValueAsString().split(' ');
    for (const auto& variant : kVariantNames)
      if (variant.name == kind)
        kernel.variants.set(variant.kind, &function);
    std::uint32_t lanes = 1;
    if (!width.getAsInteger(10, lanes))
      kernel.metadata.vector_width = lanes;
  }
  llvm::erase_if(kernels, [](const Kernel& kernel) { return kernel.body == nullptr; });
}

} // namespace heddle::compiler
