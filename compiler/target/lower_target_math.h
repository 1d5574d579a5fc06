// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of the math library that are instructions on some CPUs.
#pragma once

#include "compiler/target/target_info.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// The library defines these functions (builtins/math_machine.cl) for scalars. If the CPU has
// instructions for them, this pass deletes their bodies, so that calls are not inlined and the
// vectorizer can widen them.
class MarkTargetMathPass : public llvm::PassInfoMixin<MarkTargetMathPass> {
 public:
  explicit MarkTargetMathPass(const TargetInfo& target) : target_(target) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  const TargetInfo& target_;
};

// Whether MarkTargetMathPass kept calls of the function.
bool is_target_math(const llvm::Function& function);

// The declaration of `function` for vectors of `width` elements. Pointer arguments, which are
// tables, stay uniform.
llvm::Function* vector_target_math(llvm::Function& function, unsigned width);

// Replaces calls of these functions, of any width, by the CPU's instructions.
class LowerTargetMathPass : public llvm::PassInfoMixin<LowerTargetMathPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace heddle::compiler
