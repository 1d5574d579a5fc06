// Opaque OpenCL types as machine types.
#pragma once

#include "llvm/IR/Module.h"

namespace heddle::compiler {

// Clang gives event_t and its like target types of SPIR-V, which the code generator of a CPU does
// not know. Rewrites the functions that mention them so that such values are plain pointers.
void lower_target_ext_types(llvm::Module& module);

} // namespace heddle::compiler
