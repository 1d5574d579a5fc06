// Vector overloads of elementwise builtins in terms of the scalar overload.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Module.h"

namespace heddle::compiler {

// Gives each declared function of `module` that `is_in_library` does not have, but whose scalar
// overload it has, a body that calls the scalar overload for every component. Scalar arguments are
// broadcast; pointers to vectors become pointers to their components.
void expand_vector_builtins(llvm::Module& module,
                            llvm::function_ref<bool(llvm::StringRef name)> is_in_library);

} // namespace heddle::compiler
