// The functions of the kernel ABI around a kernel's variants.
#pragma once

#include "compiler/ir/kernel.h"
#include "llvm/IR/Module.h"

namespace heddle::compiler {

class Build;

// Adds for each kernel the abi::KernelFunction (kernel.entry) and, if it uses fibers, the
// abi::ItemFunction (kernel.fiber_entry); and the exported table abi::kKernelTableSymbol. The
// function that contains the kernel's code, once variants are inlined, has the kernel's name, which
// profilers and debuggers show; the loop over groups of a kernel with fibers is NAME.groups.
void make_kernel_wrappers(llvm::Module& module, Build& build, Kernels& kernels);

} // namespace heddle::compiler
