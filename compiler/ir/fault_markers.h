// What a kernel writes down of where it is, for whoever reports that it has failed.
#pragma once

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Emits a note: the 64-bit value goes to its place in the abi::Worker. LLVM sees a call that
// returns and touches no memory of the program's until lower_fault_markers makes a volatile store
// of it: such a store might never return, so that nothing behind it were certain to be reached.
void note(llvm::IRBuilderBase& builder, llvm::Value* value, llvm::Value* place);
bool is_fault_marker(const llvm::Instruction& instruction);
class LowerFaultMarkersPass : public llvm::PassInfoMixin<LowerFaultMarkersPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace heddle::compiler
