// __local variables as offsets from the group's local memory.
#pragma once

#include "compiler/passes/kernel.h"
#include "llvm/IR/Module.h"

namespace heddle::compiler {

// Assigns each __local variable an offset in abi::Group::local_memory and sets
// KernelMetadata::local_bytes and ::variables. A variable that several kernels reach has the same
// offset in all of them; any other takes space in its own kernel only. Needs add_work_item_state.
void place_local_variables(llvm::Module& module, Kernels& kernels);

} // namespace heddle::compiler
