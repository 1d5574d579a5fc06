// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builtins under names that OpenCL C does not list, and programs call.
#pragma once

#include "clang/Frontend/CompilerInstance.h"

namespace heddle::compiler {

// vloada_half and vstorea_half of one half, also with a rounding, are vload_half and vstore_half:
// one half has no alignment of its own. Only where a program declares nothing of that name: what it
// defines itself comes first.
void add_builtin_aliases(clang::CompilerInstance& instance);

} // namespace heddle::compiler
