// By how much addresses grow from one row of a group to the next.
#pragma once

#include "compiler/vectorise/shapes.h"

namespace heddle::compiler {

// The bytes between the address in one row and in the next, the same in every lane; nothing if
// there is no such number. Trusts that no global id in y of a block of rows is on the other side of
// a multiple of 2^31 (region_loops.h, rows_in_blocks), and that sums do not wrap around where the
// program must not let them. `shapes` are those of a plan with several rows.
std::optional<std::int64_t> row_stride(const llvm::Value& address, const Shapes& shapes);

} // namespace heddle::compiler
