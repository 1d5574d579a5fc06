// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Links an object file to a shared object with LLD, in this process and in memory.
#pragma once

#include "llvm/ADT/ArrayRef.h"

#include <vector>

namespace heddle::compiler {

class Build;

// Links one object file to a shared object that needs only the C and math libraries. False, with
// LLD's message in the log, on failure. LLD has global state: one link runs at a time. A request
// may be abandoned by a jump in the middle of a link; others can link once its thread has ended.
bool link_shared_object(llvm::ArrayRef<char> object, Build& build, std::vector<std::byte>& output);

} // namespace heddle::compiler
