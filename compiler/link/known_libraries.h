// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of the C and math libraries that kernels may call.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <optional>

namespace heddle::compiler::elf {

struct LibraryFunction {
  llvm::StringRef library;
  llvm::StringRef version;
};

// Where the dynamic loader finds the function, and the version that gives the present
// implementation rather than a compatible old one.
std::optional<LibraryFunction> find_library_function(llvm::StringRef name);

} // namespace heddle::compiler::elf
