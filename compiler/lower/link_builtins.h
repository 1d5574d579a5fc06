// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Links the builtin library.
#pragma once

#include "compiler/ir/compilation.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

class Build;

// Makes definitions of calls of vector overloads that the library has for scalars only, and sees to
// it that the library defines what the module calls. Undefined functions are errors of the build,
// each with its name.
bool resolve_builtins(llvm::Module& module, Build& build);

// Links the library functions that the module calls, directly or indirectly, and parses only those
// from the bitcode. Undefined functions are errors of the build, each with its name. On CPUs
// without conversions of halves, a program that uses halves also gets the functions that code
// generation calls for them.
//
//   declare float _Z3sinf(float)                 define float _Z3sinf(float %x) { ... }
//   declare <4 x float> _Z3sinDv4_f(...)         define ... four calls of _Z3sinf
class LinkBuiltinsPass : public llvm::PassInfoMixin<LinkBuiltinsPass> {
 public:
  explicit LinkBuiltinsPass(Compilation& compilation) : compilation_(compilation) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  Compilation& compilation_;
};

// Functions that stay declarations because passes lower their calls.
bool is_lowered_by_compiler(llvm::StringRef name);

} // namespace heddle::compiler
