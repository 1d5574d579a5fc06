// get_global_id and its kin in terms of the work-item state.
#pragma once

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// OpenCL C 6.15.1. Needs add_work_item_params.
class LowerWorkItemQueriesPass : public llvm::PassInfoMixin<LowerWorkItemQueriesPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

bool is_work_item_query(llvm::StringRef mangled_name);

} // namespace heddle::compiler
