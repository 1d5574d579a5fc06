// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Non-temporal stores.
#pragma once

#include "compiler/ir/compilation.h"
#include "compiler/ir/kernel.h"
#include "compiler/target/target_info.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// A cache line that is overwritten is first read, unless the store is non-temporal. In a kernel
// without loops that stores full vectors to arguments that it does not read, launches that move
// more data than the caches hold use non-temporal stores where addresses are aligned to cache
// lines. Sets launch.nontemporal_bytes to the bytes that a work-item moves (0: none are used).
class NontemporalStoresPass : public llvm::PassInfoMixin<NontemporalStoresPass> {
 public:
  explicit NontemporalStoresPass(Compilation& compilation) : compilation_(compilation) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  Compilation& compilation_;
};

// Emits an i1: whether a launch of a kernel with launch.nontemporal_bytes moves more than the
// caches hold. `launch` is an abi::Launch*.
llvm::Value* emit_exceeds_caches(llvm::IRBuilderBase& builder, llvm::Value* launch,
                                 std::uint64_t streamed);

} // namespace heddle::compiler
