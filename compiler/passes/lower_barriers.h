// Work-group barriers as calls of the worker's barrier function.
#pragma once

#include "compiler/passes/kernel.h"
#include "llvm/IR/Module.h"

namespace heddle::compiler {

// Lowers barrier and work_group_barrier (OpenCL C 6.15.8) and sets KernelMetadata::has_barrier.
// Every item runs on a fiber of the same thread, so a barrier orders memory by itself. Needs
// add_work_item_state.
void lower_barriers(llvm::Module& module, Kernels& kernels);

bool is_barrier(llvm::StringRef mangled_name);

} // namespace heddle::compiler
