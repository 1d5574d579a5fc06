// get_global_id and its kin in terms of the work-item state.
#pragma once

#include "llvm/IR/Module.h"

namespace heddle::compiler {

// OpenCL C 6.15.1. Needs add_work_item_params.
void lower_work_item_queries(llvm::Module& module);

bool is_work_item_query(llvm::StringRef mangled_name);

} // namespace heddle::compiler
