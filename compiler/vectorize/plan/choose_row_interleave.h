// Whether rows of a work-group are run side by side.
#pragma once

#include "compiler/ir/target_info.h"
#include "compiler/vectorize/analysis/plan.h"
#include "llvm/IR/Function.h"

namespace heddle::compiler {

// Sub-groups with consecutive y that are worth running together (VectorPlan::rows), as in a product
// of matrices: what depends on x alone is loaded once for all of them, and each has a chain of
// arithmetic of its own. 1: the kernel gains nothing by it. `wanted`, if it is not 0, is taken for
// every kernel that allows it. `may_start_again`: bounds checks are going to be decided for all
// rows at once (uniformize_guards). Wants the prepared kernel.
unsigned choose_row_interleave(llvm::Function& kernel, const TargetInfo& target, unsigned width,
                               unsigned wanted, bool may_start_again);

} // namespace heddle::compiler
