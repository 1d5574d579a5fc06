// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A module and its kernels before they are vectorized, for attempts with fewer lanes.
#pragma once

#include "compiler/ir/compilation.h"
#include "llvm/IR/Module.h"

#include <memory>

namespace heddle::compiler {

class ModuleSnapshot {
 public:
  // Copies the module and compilation.kernels, which have no variants yet.
  ModuleSnapshot(const Compilation& compilation, const llvm::Module& module);

  // Puts the kernels back into `compilation`. Returns the module.
  std::unique_ptr<llvm::Module> restore(Compilation& compilation) &&;

 private:
  std::unique_ptr<llvm::Module> module_;
  Kernels kernels_; // of that module
};

} // namespace heddle::compiler
