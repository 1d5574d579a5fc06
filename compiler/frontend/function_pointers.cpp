// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/frontend/function_pointers.h"

#include "compiler/support/build.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

namespace heddle::compiler {
namespace {

bool has_indirect_call(const llvm::Function& function) {
  return llvm::any_of(llvm::instructions(function), [](const llvm::Instruction& instruction) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    return call != nullptr && !call->isInlineAsm() && call->getCalledFunction() == nullptr;
  });
}

std::string source_name(const llvm::Function& function) {
  auto name = function.getName();
  name.consume_front("__clang_ocl_kern_imp_");
  return llvm::demangle(name);
}

} // namespace

bool check_no_function_pointers(const llvm::Module& module, Build& build) {
  bool ok = true;
  for (const auto& function : module) {
    if (function.isDeclaration())
      continue;
    if (function.isVarArg())
      ok = build.error(llvm::Twine("'") + source_name(function) +
                       "' has a variable number of arguments, which this device does not support");
    if (has_indirect_call(function))
      ok = build.error(llvm::Twine("'") + source_name(function) +
                       "' calls a function through a pointer, which this device does not support");
  }
  return ok;
}

} // namespace heddle::compiler
