// Accesses that blocks of rows turn round.
#pragma once

#include "compiler/vectorize/analysis/lane_shapes.h"

namespace heddle::compiler {

// A load or store whose places are far apart from lane to lane, and side by side from row to row:
// for a block of rows in which no id in y changes its sign in 32 bits (rows_in_blocks in
// workgroup/emit_region_loops.h). `shapes` are those of a plan with several rows.
bool is_transposed(const llvm::Instruction& access, const LaneShapes& shapes);

} // namespace heddle::compiler
