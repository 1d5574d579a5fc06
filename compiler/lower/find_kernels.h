// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the kernels of a module and describes their interface.
#pragma once

#include "compiler/ir/compilation.h"
#include "compiler/ir/kernel.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

class Build;

// Describes the kernels of a module whose target extension types are lowered. False, with an error
// in the log, if an argument cannot be passed.
bool find_kernels(llvm::Module& module, Build& build, Kernels& kernels);

// Removes the stubs that Clang puts around kernels and describes each kernel from Clang's metadata
// (names, arguments, attributes). An argument that cannot be passed is an error of the build.
//
//   define spir_kernel void @k(...)              define void @k.body(...) "heddle-kernel"="k"
//   define void @__clang_ocl_kern_imp_k(...)
class FindKernelsPass : public llvm::PassInfoMixin<FindKernelsPass> {
 public:
  explicit FindKernelsPass(Compilation& compilation) : compilation_(compilation) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  Compilation& compilation_;
};

} // namespace heddle::compiler
