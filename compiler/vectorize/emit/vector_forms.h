// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that are called once for all lanes: their vector forms, which take and return vectors.
#pragma once

#include "compiler/ir/compilation.h"
#include "compiler/vectorize/emit/form_shape.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

#include <optional>

namespace heddle::compiler {

// Kernels whose calls are not all inlined (lower/inline_policy.h) call functions in vector forms.
// Marks those of numbers only, which depend on nothing else, as math functions.
class MarkVectorFormsPass : public llvm::PassInfoMixin<MarkVectorFormsPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

// Marks the others, which may access memory, unless they are too long (compilation.limits) or too
// much code: their forms take a mask of the lanes that call them.
class MarkMaskedFormsPass : public llvm::PassInfoMixin<MarkMaskedFormsPass> {
 public:
  explicit MarkMaskedFormsPass(const Compilation& compilation) : compilation_(compilation) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  const Compilation& compilation_;
};

// Of a function of numbers: all of its lanes are computed.
bool has_vector_form(const llvm::Function& function);
// Whether its form may be called with any values in inactive lanes: it always returns.
bool returns_for_any_values(const llvm::Function& function);
// Of any other function.
bool has_masked_form(const llvm::Function& function);

// The declaration of the form for `width` lanes of a function of numbers.
llvm::Function* vector_form(llvm::Function& function, unsigned width);
// The declaration of a form of another function. If it has many, `shape` becomes that of any lanes.
llvm::Function* masked_form(llvm::Function& function, FormShape& shape);

// What a declared form is of; nothing: the function is no form.
struct FormOf {
  llvm::Function* function = nullptr;
  FormShape shape;
};
std::optional<FormOf> form_of(const llvm::Function& function);

} // namespace heddle::compiler
