// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Comparisons that hold for the first or the last lanes of a sub-group.
#pragma once

#include "compiler/vectorize/analysis/uniform_bound.h"

namespace heddle::compiler {

// The uniform bound that the condition (`is_met`), or its inverse, sets on an affine value; nullopt
// unless the value ascends with the lane, so that the lanes below the bound are the first ones, or
// one lane is equal to it.
std::optional<UniformBound> ascending_bound(const llvm::Value& condition, bool is_met,
                                            const LaneShapes& shapes, llvm::Function& kernel);

} // namespace heddle::compiler
