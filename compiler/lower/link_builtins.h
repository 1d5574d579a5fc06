// Brings in the functions of the builtin library that a program calls.
#pragma once

#include "compiler/ir/compilation.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

class Build;

// Links what is needed of the library, and what that needs, into `module`; only those functions are
// read from the bitcode. Everything defined in `module` becomes internal. False, with the names of
// the functions in the log, if the program calls functions that nobody defines. With
// `needs_half_runtime` a program that has halves also gets the functions that code generation calls
// to convert them.
class LinkBuiltinsPass : public llvm::PassInfoMixin<LinkBuiltinsPass> {
 public:
  explicit LinkBuiltinsPass(Compilation& compilation) : compilation_(compilation) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  Compilation& compilation_;
};

// Names that stay declarations because the compiler itself lowers their calls.
bool is_lowered_by_compiler(llvm::StringRef name);

} // namespace heddle::compiler
