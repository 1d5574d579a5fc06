// How many vector registers a kernel's values need.
#pragma once

#include "compiler/vectorize/analysis/lane_shapes.h"

namespace heddle::compiler {

// Registers that the values of `rows` sub-groups side by side fill at the place where most of them
// are alive. Values that do not differ by row count once (of `shapes`, made with more than one row,
// if `rows` is).
unsigned estimate_register_pressure(const llvm::Function& kernel, const LaneShapes& shapes,
                                    unsigned width, unsigned rows, unsigned register_bits);

} // namespace heddle::compiler
