// Gives a module the target that it is compiled for.
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

// Sets what code generation of each function needs to know: unwind tables, stack probes, the width
// of vectors.
class SetTargetAttributesPass : public llvm::PassInfoMixin<SetTargetAttributesPass> {
 public:
  explicit SetTargetAttributesPass(const llvm::TargetMachine& target) : target_(target) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  const llvm::TargetMachine& target_;
};

} // namespace heddle::compiler
