// What address spaces say about pointers: private, global and local memory have nothing in common.
#pragma once

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// The address spaces that what a pointer points to may be in, one bit each: of a generic pointer
// those that it is seen to be cast from.
unsigned underlying_address_spaces(const llvm::Value& pointer);

// Address spaces are flat for the code generator, so nothing in LLVM draws this conclusion for it.
class AddressSpaceAAResult : public llvm::AAResultBase {
 public:
  AddressSpaceAAResult() = default;
  llvm::AliasResult alias(const llvm::MemoryLocation& a, const llvm::MemoryLocation& b,
                          llvm::AAQueryInfo& query, const llvm::Instruction* context);
  // It knows nothing that could become untrue.
  static bool invalidate(llvm::Function& /*function*/, const llvm::PreservedAnalyses& /*preserved*/,
                         llvm::FunctionAnalysisManager::Invalidator& /*invalidator*/) {
    return false;
  }
};

class AddressSpaceAA : public llvm::AnalysisInfoMixin<AddressSpaceAA> {
 public:
  using Result = AddressSpaceAAResult;
  static Result run(llvm::Function& /*function*/, llvm::FunctionAnalysisManager& /*analyses*/) {
    return Result();
  }

 private:
  friend llvm::AnalysisInfoMixin<AddressSpaceAA>;
  static llvm::AnalysisKey Key; // LLVM's name for it
};

} // namespace heddle::compiler
