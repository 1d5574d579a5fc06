// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __attribute__((no_sanitize("heddle-race"))), "heddle-memory", "heddle-division",
// "heddle-divergence" and "heddle-uninitialized": a check of HEDDLE_CHECK leaves out the function.
#pragma once

#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/CodeGen/ModuleBuilder.h"

#include <memory>

namespace heddle::compiler {

// Notes such functions in the module (ir/unchecked_functions.h), and warns of other names that
// neither Heddle nor Clang knows, in place of Clang. To be called behind the generator, which must
// outlive it.
std::unique_ptr<clang::ASTConsumer> note_unchecked_functions(clang::CodeGenerator& generator,
                                                             clang::DiagnosticsEngine& diagnostics);

} // namespace heddle::compiler
