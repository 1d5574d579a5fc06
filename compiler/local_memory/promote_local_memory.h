// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps local memory in registers.
#pragma once

#include "compiler/ir/compilation.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Whether PromoteLocalMemoryPass may find something in the kernel: it has barriers, local memory
// and one local size.
bool may_promote_local_memory(const Kernel& kernel);

// Marks the functions of such kernels, whose gathers may become shuffles of registers. To be run
// again when there are new ones.
class DeferGathersPass : public llvm::PassInfoMixin<DeferGathersPass> {
 public:
  explicit DeferGathersPass(Compilation& compilation) : compilation_(compilation) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  Compilation& compilation_;
};

// Where a unit is for one local size, the steps of a reduction, a scan or a sorting network access
// local memory at addresses that are known at compile time. The pass replaces the code of a group,
// or its end, by what is executed: loops over sub-groups and steps are gone, and what one sub-group
// stores and another one loads is a shuffle. Otherwise each step waits for the stores of the one
// before, which the CPU cannot forward to loads at other addresses.
//
//   store <16 x float> %a, %local                    ; local: 0..15 are those of %a
//   load <16 x float>, %local + 32                   shufflevector %a, %b, <8, 9, ..., 23>
//   br i1 (icmp ult 16, %s), ...                     ; %s is 64 here, then 32, ...
class PromoteLocalMemoryPass : public llvm::PassInfoMixin<PromoteLocalMemoryPass> {
 public:
  explicit PromoteLocalMemoryPass(Compilation& compilation) : compilation_(compilation) {}
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

 private:
  Compilation& compilation_;
};

} // namespace heddle::compiler
