// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers get_global_id and similar functions.
#pragma once

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// OpenCL C 6.15.1. Runs after AddWorkItemParamsPass.
class LowerWorkItemQueriesPass : public llvm::PassInfoMixin<LowerWorkItemQueriesPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

bool is_work_item_query(llvm::StringRef mangled_name);

} // namespace heddle::compiler
