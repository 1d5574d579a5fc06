// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of the kernel ABI around a kernel's variants.
#pragma once

#include "compiler/ir/compilation.h"
#include "compiler/ir/kernel.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Adds for each kernel the abi::KernelFunction (kernel.entry) and, if it uses fibers, the
// abi::ItemFunction (kernel.fiber_entry); and the exported table abi::kKernelTableSymbol. The
// function that contains the kernel's code, once variants are inlined, has the kernel's name, which
// profilers and debuggers show; the loop over groups of a kernel with fibers is NAME.groups.
//
//   void k(launch, first, last, worker):
//     for each group: for each row:
//       for whole sub-groups: k.whole(...); then k.tail(...) for the rest
class MakeKernelWrappersPass : public llvm::PassInfoMixin<MakeKernelWrappersPass> {
 public:
  explicit MakeKernelWrappersPass(Compilation& compilation) : compilation_(compilation) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  Compilation& compilation_;
};

} // namespace heddle::compiler
