// Stores past the caches.
#pragma once

#include "compiler/ir/compilation.h"
#include "compiler/ir/kernel.h"
#include "compiler/ir/target_info.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// A line that is overwritten is read first, unless it is stored past the caches. Where a kernel
// without loops writes whole vectors to arguments that it does not read, launches that move more
// than caches hold store so, as far as addresses are those of whole lines. Sets
// launch.nontemporal_bytes to the bytes that a work-item moves (0: nothing is stored so).
class NontemporalStoresPass : public llvm::PassInfoMixin<NontemporalStoresPass> {
 public:
  explicit NontemporalStoresPass(Compilation& compilation) : compilation_(compilation) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  Compilation& compilation_;
};

// Whether a launch moves more than caches hold, in a kernel with launch.nontemporal_bytes; `launch`
// is abi::Launch*.
llvm::Value* emit_exceeds_caches(llvm::IRBuilderBase& builder, llvm::Value* launch,
                                 std::uint64_t streamed);

} // namespace heddle::compiler
