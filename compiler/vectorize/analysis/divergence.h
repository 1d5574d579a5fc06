// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Divergence between the lanes of a sub-group, or between interleaved rows.
#pragma once

#include "compiler/vectorize/analysis/aligned_id.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"

namespace heddle::compiler {

// LLVM's uniformity analysis: `ids` are the parameters that differ between lanes, or between rows
// (`between_rows`). What follows from `aligned_id` is uniform. The trees must outlive the result.
llvm::UniformityInfo compute_uniformity(llvm::Function& function, llvm::DominatorTree& dominators,
                                        llvm::CycleInfo& cycles,
                                        llvm::SmallPtrSet<const llvm::Value*, 4> ids,
                                        const AlignedId& aligned_id, bool between_rows);

} // namespace heddle::compiler
