// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that are called once for all lanes: their vector forms, which take and return vectors.
#pragma once

#include "compiler/ir/compilation.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Marks the functions that have vector forms: of numbers only, depending on nothing else. Kernels
// whose calls are not all inlined (lower/inline_policy.h) call math functions and the like in
// this form.
class MarkVectorFormsPass : public llvm::PassInfoMixin<MarkVectorFormsPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

bool has_vector_form(const llvm::Function& function);
// Whether its form may be called with any values in inactive lanes: it always returns.
bool returns_for_any_values(const llvm::Function& function);

// The declaration of the form for `width` lanes, all of which it computes.
llvm::Function* vector_form(llvm::Function& function, unsigned width);

// Defines the forms that variants call.
//
//   float f(float)                     <32 x float> f.lanes32(<32 x float>)
class EmitVectorFormsPass : public llvm::PassInfoMixin<EmitVectorFormsPass> {
 public:
  explicit EmitVectorFormsPass(Compilation& compilation) : compilation_(compilation) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  void define(llvm::Function& form, llvm::FunctionAnalysisManager& analyses);

  Compilation& compilation_;
};

} // namespace heddle::compiler
