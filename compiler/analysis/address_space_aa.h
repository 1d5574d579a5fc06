// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Alias analysis by address spaces: private, global and local memory are disjoint.
#pragma once

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// The address spaces that the memory of a pointer may be in, as a bit set. For a generic pointer,
// those of the pointers that it is cast from.
unsigned underlying_address_spaces(const llvm::Value& pointer);

// LLVM's X86 target has one flat address space, so no analysis of LLVM concludes this.
class AddressSpaceAAResult : public llvm::AAResultBase {
 public:
  AddressSpaceAAResult() = default;
  llvm::AliasResult alias(const llvm::MemoryLocation& a, const llvm::MemoryLocation& b,
                          llvm::AAQueryInfo& query, const llvm::Instruction* context);
  // The result depends on the address spaces only and is never invalidated.
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
  static llvm::AnalysisKey Key; // LLVM's name for it, NOLINT(readability-identifier-naming)
};

} // namespace heddle::compiler
