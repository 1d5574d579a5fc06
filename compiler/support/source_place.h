// Where in the program's source something comes from.
#pragma once

#include "compiler/support/remarks.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instruction.h"

namespace heddle::compiler {

// Of an instruction that optimisation has left without a line: that of the nearest one before it in
// its block, or behind it, or of its function.
SourcePlace place_of(const llvm::Instruction& instruction);
SourcePlace place_of(const llvm::Function& function);

} // namespace heddle::compiler
