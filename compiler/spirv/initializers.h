// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entry points that run before or after all kernels (SPIR-V 3.6, Initializer and Finalizer).
#pragma once

#include "compiler/spirv/instruction.h"
#include "llvm/IR/Module.h"

namespace heddle::compiler::spirv {

class Initializers {
 public:
  // Whether the entry point is one of them, and no kernel for the API: it becomes a plain function.
  bool take(const EntryPoint& entry, llvm::Function& function);
  // Writes LLVM's lists of them, as Clang writes those of constructors in C++ for OpenCL.
  void write(llvm::Module& module) const;

 private:
  llvm::SmallVector<llvm::Function*, 2> initializers_, finalizers_;
};

} // namespace heddle::compiler::spirv
