// Small async copies without a call.
#pragma once

#include "llvm/IR/Module.h"

namespace heddle::compiler {

// Calls of __heddle_call_once_copy_bytes (builtins/copy_lines.h) with a known and small number of
// bytes become llvm.memcpy in pieces that code generation makes moves of. Comes behind
// vectorisation, which would take kernels with memcpy for ones that fill registers by themselves.
void inline_small_copies(llvm::Module& module);

} // namespace heddle::compiler
