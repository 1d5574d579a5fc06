// The functions of the kernel ABI around kernel bodies.
#pragma once

#include "compiler/ir/compilation.h"
#include "compiler/ir/kernel.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

class Build;

// Makes for each kernel the function of abi::KernelFunction and, if it has barriers, that of
// abi::ItemFunction, and the exported table abi::kKernelTableSymbol. The function in which a
// kernel's own code runs has the kernel's name, because profilers and debuggers show it; the loop
// over groups of a kernel with barriers is NAME.groups.
class MakeKernelWrappersPass : public llvm::PassInfoMixin<MakeKernelWrappersPass> {
 public:
  explicit MakeKernelWrappersPass(Compilation& compilation) : compilation_(compilation) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  Compilation& compilation_;
};

} // namespace heddle::compiler
