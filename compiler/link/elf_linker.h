// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Links an object file to a shared object, in memory.
#pragma once

#include "llvm/ADT/ArrayRef.h"

#include <cstddef>
#include <vector>

namespace heddle::compiler {

class Build;

// Links one object file, made by code generation, to a shared object that needs only the
// C and math libraries (known_libraries.cpp). Symbols and debug information are kept; symbols that
// the object defines are not replaced by others'. The result depends on the object alone. Any
// number of threads may link at a time. False, with a message in the log, for what a kernel's
// object cannot have: undefined symbols, constructors, thread-local variables, relocations of the
// program's own assembly that need another linker.
bool link_shared_object(llvm::ArrayRef<char> object, Build& build, std::vector<std::byte>& output);

} // namespace heddle::compiler
