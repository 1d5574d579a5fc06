// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vector overloads of elementwise builtins.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Module.h"

namespace heddle::compiler {

// Defines each declared function of `module` that is a vector overload of a function in the library
// and is not there itself: the body calls the scalar overload for every component. Scalar arguments
// are broadcast; pointers to vectors become pointers to their components.
void expand_vector_builtins(llvm::Module& module,
                            llvm::function_ref<bool(llvm::StringRef name)> is_in_library);

} // namespace heddle::compiler
