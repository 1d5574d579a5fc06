// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses of vectors of three components.
#pragma once

#include "compiler/vectorize/analysis/analyses.h"

namespace heddle::compiler {

// Makes one load, or store, of a vector of three of loads or stores of its components, if those of
// all lanes are contiguous: pixels of three channels, vload3 and vstore3. Sub-groups then move all
// lanes' vectors at once instead of every third element three times. Where nothing in between may
// access the same memory, and in blocks that all lanes execute, but for guards (`may_restart`:
// UniformizeGuardsPass is going to make these uniform): masks of components take longer.
void merge_components(llvm::Function& kernel, const Analyses& analyses, bool may_restart);

} // namespace heddle::compiler
