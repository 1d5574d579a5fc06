// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Translates a request's options into a Clang invocation.
#pragma once

#include "clang/Basic/Diagnostic.h"
#include "clang/Frontend/CompilerInvocation.h"

#include <memory>

namespace heddle::compiler {

class Build;

// Whether the source is C++ for OpenCL.
bool is_cxx(const Build& build);

// Null if Clang rejects an option; the reason goes to `diagnostics`.
std::shared_ptr<clang::CompilerInvocation> make_invocation(const Build& build,
                                                           clang::DiagnosticsEngine& diagnostics);

} // namespace heddle::compiler
