// Which groups get lanes that are consecutive linear ids across rows (Kernel::crossing).
#pragma once

#include "compiler/ir/kernel.h"

namespace heddle::compiler {

// Groups with rows of at most so many work-items are to be run across rows, if the rows do not
// divide into whole sub-groups anyway. 0: the kernel needs no form for that. Wants the body in the
// form that the vectoriser gets, and the width chosen.
std::uint64_t widest_crossed_row(const Kernel& kernel);

} // namespace heddle::compiler
