// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses of a block of rows that are emitted as a transposition.
#pragma once

#include "compiler/vectorize/analysis/lane_shapes.h"

namespace heddle::compiler {

// Whether the addresses of a load or store are far apart from lane to lane and consecutive from row
// to row. Holds for blocks of rows whose global ids in y do not cross a multiple of 2^31
// (emit_block_row_count() of workgroup/group_partition.h). `shapes` must have been computed for
// several rows.
bool is_transposed(const llvm::Instruction& access, const LaneShapes& shapes);

} // namespace heddle::compiler
