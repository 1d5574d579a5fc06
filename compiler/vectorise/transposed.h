// Accesses that blocks of rows turn round.
#pragma once

#include "compiler/vectorise/shapes.h"

namespace heddle::compiler {

// A load or store whose places are far apart from lane to lane, and side by side from row to row.
bool is_transposed(const llvm::Instruction& access, const Shapes& shapes);

} // namespace heddle::compiler
