// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Generates machine code.
#pragma once

#include "compiler/ir/kernel.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

#include <string>

namespace heddle::compiler {

class Build;

// Generates an ELF object file and sets the stack sizes in the kernels' metadata. False on failure.
bool generate_code(llvm::Module& module, llvm::TargetMachine& target, Build& build,
                   Kernels& kernels, llvm::SmallVectorImpl<char>& object);

// The assembly of what generate_code() would generate, for HEDDLE_KEEP. Works on a clone of
// `module`.
std::string generate_assembly(const llvm::Module& module, llvm::TargetMachine& target,
                              const Build& build);

} // namespace heddle::compiler
