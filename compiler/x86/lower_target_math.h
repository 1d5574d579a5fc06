// Steps of the math library for which some CPUs have an instruction.
#pragma once

#include "compiler/ir/target_info.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// The library defines these functions (builtins/math_machine.cl) as elementwise functions of
// numbers. Where the CPU has instructions for them they lose their bodies here, so that they are
// not inlined and the vectoriser can make them wide.
class MarkTargetMathPass : public llvm::PassInfoMixin<MarkTargetMathPass> {
 public:
  explicit MarkTargetMathPass(const TargetInfo& target) : target_(target) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  const TargetInfo& target_;
};

// Whether a function is one that mark_target_math() kept.
bool is_target_math(const llvm::Function& function);

// The form of `function` that takes and gives vectors of `width` elements. Tables, which pointers
// are to, are the same for all elements.
llvm::Function* vector_target_math(llvm::Function& function, unsigned width);

// Replaces calls of the kept functions, of any width, by the CPU's instructions.
class LowerTargetMathPass : public llvm::PassInfoMixin<LowerTargetMathPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace heddle::compiler
