// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the source location of IR.
#pragma once

#include "compiler/support/remarks.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instruction.h"

namespace heddle::compiler {

// Of an instruction without a location: that of the nearest instruction before it in its block, or
// after it, or of its function.
SourcePlace place_of(const llvm::Instruction& instruction);
// The function of that place in the program, which the instruction may have been inlined from; null
// without debug information.
const llvm::DISubprogram* subprogram_of(const llvm::Instruction& instruction);
SourcePlace place_of(const llvm::Function& function);

} // namespace heddle::compiler
