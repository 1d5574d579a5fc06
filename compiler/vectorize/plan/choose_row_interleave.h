// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses the number of interleaved rows of a work-group.
#pragma once

#include "compiler/target/target_info.h"
#include "compiler/vectorize/analysis/plan.h"
#include "llvm/IR/Function.h"

namespace heddle::compiler {

struct RowInterleave {
  unsigned rows = 1;
  unsigned wanted = 1;      // if groups and registers had room for them
  bool may_be_more = false; // rows can be interleaved, whether that is faster or not
};

// The number of sub-groups with consecutive y to interleave (VectorPlan::rows), as in a matrix
// product: what does not depend on y is loaded once for all of them, and their chains of arithmetic
// are independent. 1: no benefit. `requested`, if it is not 0, replaces the heuristics for kernels
// that can be interleaved. `may_restart`: UniformizeGuardsPass is going to make guards uniform
// for all rows at once. The kernel must be canonical.
RowInterleave choose_row_interleave(llvm::Function& kernel, const TargetInfo& target,
                                    unsigned width, unsigned requested, bool may_restart);

// Whether a kernel that wants rows to be interleaved has the registers for so many.
bool has_registers_for_rows(llvm::Function& kernel, const TargetInfo& target, unsigned width,
                            unsigned rows);

} // namespace heddle::compiler
