// HEDDLE_CHECK=memory: calls that may touch what is not theirs are told to the runtime first.
#pragma once

#include "compiler/ir/compilation.h"
#include "compiler/ir/kernel.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Puts a call of kCheckFunction beside each call of the async copies and of the pipe functions: it
// gets the number of abi::CheckedCall, the place in the source and the operands. Of calls that a
// sub-group or a work-group makes together, its first work-item does. To be called while the
// builtins have no bodies.
class InsertMemoryChecksPass : public llvm::PassInfoMixin<InsertMemoryChecksPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

inline constexpr const char* kCheckFunction = "__heddle_check";

// Calls of kCheckFunction become calls of abi::Worker::check with a record
// (interface/check_record.h). To be called when helper functions are inlined into the kernels, so
// that it is seen which argument a pointer comes from.
class LowerMemoryChecksPass : public llvm::PassInfoMixin<LowerMemoryChecksPass> {
 public:
  explicit LowerMemoryChecksPass(Compilation& compilation) : compilation_(compilation) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  Compilation& compilation_;
};

} // namespace heddle::compiler
