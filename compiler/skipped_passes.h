// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HEDDLE_SKIP: passes of Heddle and LLVM that a build leaves out, to see what they are worth.
#pragma once

#include "compiler/ir/compilation.h"
#include "llvm/ADT/StringRef.h"

namespace heddle::compiler {

// Whether a list of names separated by commas, which may be null, has this one.
bool is_listed(const char* list, llvm::StringRef name);

// False, with an error in the log, if the request skips what is no pass, or one of Heddle's without
// which kernels would be wrong.
bool may_skip_passes(Compilation& compilation);

} // namespace heddle::compiler
