// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers Clang's blocks to plain functions and kernels.
#pragma once

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Marks the kernels that blocks of enqueue_kernel are (OpenCL C 6.15.15).
inline constexpr llvm::StringLiteral kBlockKernelAttribute = "heddle-block-kernel";

// The kernel that Clang makes of an enqueued block takes a generic pointer to the block literal,
// and pointers to local memory. The literal becomes an argument in constant memory: the runtime
// copies it when the block is enqueued. The addresses of functions in literals, which nothing
// calls, become null. Runs before FindKernelsPass.
class LowerBlocksPass : public llvm::PassInfoMixin<LowerBlocksPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace heddle::compiler
