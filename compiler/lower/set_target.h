// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sets the target that a module is compiled for.
#pragma once

#include "llvm/IR/PassManager.h"
#include "llvm/Target/TargetMachine.h"

namespace heddle::compiler {

// Sets triple and data layout, drops Clang's target attributes and address spaces of variables in
// debug info, and sets the attributes of SetTargetAttributesPass.
class RetargetPass : public llvm::PassInfoMixin<RetargetPass> {
 public:
  explicit RetargetPass(const llvm::TargetMachine& target) : target_(target) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  const llvm::TargetMachine& target_;
};

// Sets the attributes for code generation of each function: unwind tables, stack probes, vector
// width.
class SetTargetAttributesPass : public llvm::PassInfoMixin<SetTargetAttributesPass> {
 public:
  explicit SetTargetAttributesPass(const llvm::TargetMachine& target) : target_(target) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  const llvm::TargetMachine& target_;
};

} // namespace heddle::compiler
