// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses whether sub-groups of kernels with private arrays are wider than registers.
#pragma once

#include "compiler/ir/kernel.h"
#include "compiler/ir/target_info.h"
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

} // namespace heddle::compiler
