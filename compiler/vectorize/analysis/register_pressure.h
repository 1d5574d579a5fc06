// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Estimate of the vector registers that a kernel needs.
#pragma once

#include "compiler/vectorize/analysis/lane_shapes.h"

namespace heddle::compiler {

// The vector registers of a value. Uniform and affine values, addresses of consecutive elements and
// masks are not in vector registers.
unsigned vector_registers_of(const llvm::Value& value, const LaneShapes& shapes, unsigned width,
                             unsigned register_bits);

// The largest number of vector registers that are live at any instruction, for `rows` interleaved
// sub-groups. Values that do not differ by row count once; if `rows` is not 1, `shapes` must have
// been computed for several rows.
unsigned estimate_register_pressure(const llvm::Function& kernel, const LaneShapes& shapes,
                                    unsigned width, unsigned rows, unsigned register_bits);

} // namespace heddle::compiler
