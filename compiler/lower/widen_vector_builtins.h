// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vector overloads of short elementwise builtins, in operations on vectors.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Module.h"

namespace heddle::compiler {

// On the vector overloads that expand_vector_builtins() defines.
inline constexpr llvm::StringLiteral kExpandedAttribute = "heddle-expanded";

// Gives each such function, once its scalar overload is linked, the body of that one with vectors
// in place of numbers, if it is a few instructions without branches, and the vectors fill
// registers. The program's own operations on vectors have this form, too: kernels that use nothing
// else need not be taken apart into components, which takes long to build, and time in each launch.
void widen_vector_builtins(llvm::Module& module, unsigned register_bits);

} // namespace heddle::compiler
