// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which blocks execute under a mask.
#pragma once

#include "compiler/vectorize/analysis/lane_shapes.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace heddle::compiler {

// An access of up to so many bytes (double16) may be made in a masked block by what is not active,
// to memory where it has no effect; also this far behind an address that accesses share.
constexpr std::uint64_t kMaxInactiveBytes = 128, kMaxInactiveDistance = 64;

using BlockSet = llvm::SmallPtrSet<const llvm::BasicBlock*, 16>;

// The blocks that some lanes, or rows, may execute without others: those between a divergent branch
// and the block where its paths meet again. The branches of `uniform` are going to be uniform.
BlockSet masked_blocks(llvm::Function& kernel, const LaneShapes& shapes,
                       const BlockSet& uniform = {});

} // namespace heddle::compiler
