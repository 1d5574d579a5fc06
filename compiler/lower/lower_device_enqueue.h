// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers device-side enqueue (OpenCL C 6.15.15) to calls of the worker.
#pragma once

#include "compiler/ir/compilation.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Clang's calls of enqueue_kernel and the queries of blocks name the block's kernel by its address;
// afterwards by its index among the kernels. Runs after FindKernelsPass.
class NumberBlockKernelsPass : public llvm::PassInfoMixin<NumberBlockKernelsPass> {
 public:
  explicit NumberBlockKernelsPass(Compilation& compilation) : compilation_(compilation) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  Compilation& compilation_;
};

// Each function becomes a call through the table of interface/device_queue_calls.h. Sets
// KernelMetadata::uses_device_queues. Runs after NumberBlockKernelsPass and AddWorkItemParamsPass.
class LowerDeviceEnqueuePass : public llvm::PassInfoMixin<LowerDeviceEnqueuePass> {
 public:
  explicit LowerDeviceEnqueuePass(Compilation& compilation) : compilation_(compilation) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  Compilation& compilation_;
};

bool is_device_enqueue(llvm::StringRef mangled_name);

} // namespace heddle::compiler
