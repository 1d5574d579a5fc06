// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses whether sub-groups of kernels with private arrays are wider than registers, or have one
// lane.
#pragma once

#include "compiler/ir/kernel.h"
#include "compiler/target/target_info.h"
#include "compiler/vectorize/analysis/vectorization_plan.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Canonicalization lays out private arrays for one width, so that this chooses it before, by copies
// of the kernel. Doubles `choice.width` as should_double_width() does, and once more as
// should_widen_further() does unless `is_first` (Specialization), if all lanes access the
// same elements of arrays at a time, and these stay in the cache. The kernel must have private
// variables and not be canonical.
void widen_private_arrays(const Kernel& kernel, const TargetInfo& target, bool is_first,
                          llvm::FunctionAnalysisManager& analyses, WidthChoice& choice);

// Whether scalar code is faster since the kernel's loops mostly gather from private arrays of which
// the first-level cache does not hold those of all lanes. Of kernels as above.
bool is_faster_with_tables_of_one(const Kernel& kernel, const TargetInfo& target,
                                  llvm::FunctionAnalysisManager& analyses, unsigned width);

} // namespace heddle::compiler
