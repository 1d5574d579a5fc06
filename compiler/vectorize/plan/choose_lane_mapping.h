// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses the groups whose lanes are consecutive linear local ids, across rows
// (VariantKind::crossing).
#pragma once

#include "compiler/ir/kernel.h"
#include "compiler/vectorize/analysis/vectorization_plan.h"

namespace heddle::compiler {

// The longest row, in work-items, for which groups execute the variant `crossing`, unless their
// rows are multiples of the width. 0: the kernel does not get the variant. The body must be
// canonical and its width chosen. With `is_first` (Specialization), kernels that would gather
// across rows do without, which is a third of their code.
std::uint64_t choose_widest_crossed_row(const Kernel& kernel, bool is_first = false);

// In groups of a known size: no more lanes than work-items of a group; and no more than those of a
// row, unless crossing rows is cheap.
void fit_width_to_group(const Kernel& kernel, WidthChoice& choice);

} // namespace heddle::compiler
