// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses the groups whose lanes are consecutive linear local ids, across rows
// (VariantKind::crossing).
#pragma once

#include "compiler/ir/kernel.h"

namespace heddle::compiler {

// The longest row, in work-items, for which groups execute the variant `crossing`, unless their
// rows are multiples of the width. 0: the kernel does not get the variant. The body must be
// canonical and its width chosen.
std::uint64_t choose_widest_crossed_row(const Kernel& kernel);

} // namespace heddle::compiler
