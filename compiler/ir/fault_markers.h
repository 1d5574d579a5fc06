// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records which work-items a kernel is executing, for reports of faults.
#pragma once

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Emits a marker: stores the i64 `value` to `place` in the abi::Worker. Until LowerFaultMarkersPass
// makes a volatile store of it, LLVM sees a call that returns and accesses no memory of the
// program: a volatile store might not return, so code after it would not be known to be reached.
void emit_fault_marker(llvm::IRBuilderBase& builder, llvm::Value* value, llvm::Value* place);
bool is_fault_marker(const llvm::Instruction& instruction);
class LowerFaultMarkersPass : public llvm::PassInfoMixin<LowerFaultMarkersPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace heddle::compiler
