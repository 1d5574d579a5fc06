// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The code of the vector forms of functions (emit/vector_forms.h).
#pragma once

#include "compiler/ir/compilation.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Defines the forms that variants call.
//
//   float f(float)              <32 x float> f.lanes32(<32 x float>)
//   void g(struct s*, int)      void g.lanes8m.s216.u(ptr, i32, <8 x i1>)
//
// `simplification` is for functions of memory, before they are vectorized. Those whose forms are
// too long are added to compilation.excess, all of them if there are too many forms.
class EmitVectorFormsPass : public llvm::PassInfoMixin<EmitVectorFormsPass> {
 public:
  explicit EmitVectorFormsPass(Compilation& compilation, llvm::FunctionPassManager simplification =
                                                             llvm::FunctionPassManager())
      : compilation_(compilation), simplification_(std::move(simplification)) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  void define(llvm::Function& form, llvm::FunctionAnalysisManager& analyses);

  void give_up(llvm::Module& module);

  Compilation& compilation_;
  llvm::FunctionPassManager simplification_;
  std::uint64_t instructions_ = 0; // of the forms of functions of memory
};

} // namespace heddle::compiler
