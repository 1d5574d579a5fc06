// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/module_snapshot.h"

#include "llvm/Transforms/Utils/Cloning.h"

#include <cassert>
#include <utility>

namespace heddle::compiler {

ModuleSnapshot::ModuleSnapshot(const Compilation& compilation, const llvm::Module& module)
    : kernels_(compilation.kernels) {
  llvm::ValueToValueMapTy copies;
  module_ = llvm::CloneModule(module, copies);
  for (auto& kernel : kernels_) {
    assert(kernel.variants.begin() == kernel.variants.end() && kernel.entry == nullptr);
    kernel.body = llvm::cast<llvm::Function>(copies[kernel.body]);
  }
}

std::unique_ptr<llvm::Module> ModuleSnapshot::restore(Compilation& compilation) && {
  compilation.kernels = std::move(kernels_);
  return std::move(module_);
}

} // namespace heddle::compiler
