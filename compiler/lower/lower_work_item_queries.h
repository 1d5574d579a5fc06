// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers get_global_id and similar functions.
#pragma once

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// OpenCL C 6.15.1. Runs after AddWorkItemParamsPass. With `swap_dimensions`, the work-item
// parameters, the group and the launch have the program's second dimension in place of its first
// one, and the first in place of the second: lanes, which are neighbors in the parameters' first
// dimension, then run along the program's second one.
//
//   %i = call i64 get_global_id(i32 0)           %o = load i64, (group.global_offset[0])
//                                                %i = add i64 %o, %local_x
class LowerWorkItemQueriesPass : public llvm::PassInfoMixin<LowerWorkItemQueriesPass> {
 public:
  explicit LowerWorkItemQueriesPass(bool swap_dimensions) : swap_dimensions_(swap_dimensions) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) const;

 private:
  bool swap_dimensions_;
};

bool is_work_item_query(llvm::StringRef mangled_name);

} // namespace heddle::compiler
