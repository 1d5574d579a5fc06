// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers Clang's blocks to plain functions and kernels.
#pragma once

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Marks the kernels that blocks of enqueue_kernel are (OpenCL C 6.15.15). The value is the kernel's
// index in ProgramMetadata::kernels: blocks follow the program's other kernels.
inline constexpr llvm::StringLiteral kBlockKernelAttribute = "heddle-block-kernel";

// Prepares the blocks of a whole program: marks their kernels. The addresses of functions in block
// literals, which nothing calls, become null. Does nothing to blocks that are prepared. Whether
// there are any.
bool prepare_blocks(llvm::Module& module);

// The kernel that Clang makes of an enqueued block takes a generic pointer to the block literal,
// and pointers to local memory. The literal becomes an argument in constant memory: the runtime
// copies it when the block is enqueued. Blocks are prepared first if they are not. Runs before
// FindKernelsPass.
//
//   spir_kernel void                      spir_kernel void
//     @b_kernel(ptr addrspace(4) %0)        @b_kernel(ptr addrspace(2) %literal)
class LowerBlocksPass : public llvm::PassInfoMixin<LowerBlocksPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace heddle::compiler
