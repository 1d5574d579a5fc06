// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules of OpenCL C that Clang does not enforce.
#pragma once

#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/Diagnostic.h"

#include <memory>

namespace heddle::compiler {

// Reports to `diagnostics`. OpenCL C 6.15.14, restrictions: the pipe specifier cannot be used with
// a structure or union field.
std::unique_ptr<clang::ASTConsumer> check_language_rules(clang::DiagnosticsEngine& diagnostics);

} // namespace heddle::compiler
