// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HEDDLE_CHECK=uninitialized: finds private and local memory that is read and was never written,
// where that decides something.
#pragma once

#include "compiler/ir/compilation.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Marks what the program itself does, for InsertInitializationChecksPass: what functions of the
// library do with values that nobody uses decides nothing. Before builtins are linked.
class MarkProgramCodePass : public llvm::PassInfoMixin<MarkProgramCodePass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

// Makes registers of variables that are pointers: it is followed where these point.
class PromotePointersPass : public llvm::PassInfoMixin<PromotePointersPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Function& function,
                                     llvm::FunctionAnalysisManager& analyses);
};

// Computes shadows of memory and values (shadow_memory.h, shadow_values.h), and inserts a call
// where bits of ones decide: the condition of a branch, an address, what is stored to global
// memory, the divisor of integers. Runs when calls are inlined, and before anything else is
// optimized: then `undef` takes the place of what was never written. What is left of the calls
// after optimizations becomes records.
//
//   %x.shadow = load i32, ptr %x.shadow.addr
//   %x = load i32, ptr %x.addr
//   %c.shadow = ...
//   call void @heddle.check_initialized(i1 %c.shadow, i32 BRANCH, ptr PLACE, ptr VARIABLE)
//   br i1 %c, ...
class InsertInitializationChecksPass : public llvm::PassInfoMixin<InsertInitializationChecksPass> {
 public:
  explicit InsertInitializationChecksPass(Compilation& compilation) : compilation_(compilation) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  Compilation& compilation_;
};

// Removes those that optimizations have found to pass, and which would hinder others.
class DropPassedInitializationChecksPass
    : public llvm::PassInfoMixin<DropPassedInitializationChecksPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Function& function,
                                     llvm::FunctionAnalysisManager& analyses);
};

// Replaces these calls by branches around calls of kCheckFunction (checked_calls.h), one
// branch for those that follow each other, and finds shadows of local memory at their addresses.
class LowerInitializationChecksPass : public llvm::PassInfoMixin<LowerInitializationChecksPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace heddle::compiler
