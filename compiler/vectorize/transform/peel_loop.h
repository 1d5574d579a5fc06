// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Splits one group-strided loop into unmasked iterations and a masked remainder.
#pragma once

#include "compiler/vectorize/analysis/group_strided_loop.h"
#include "compiler/vectorize/analysis/vectorization_plan.h"

namespace heddle::compiler {

// Metadata of the terminators of blocks that only iterations with inactive lanes reach.
constexpr auto kMaskedRemainder = "heddle.masked-remainder";

// Emits the unmasked loop before the loop, for sub-groups of `width` lanes, and returns the
// preheader of the remainder. `is_redistributed` is the condition under which the first sub-group
// executes all iterations of a row; null: it never does. If there is one, the unmasked loop is
// appended to `redistributed`. form_lcssa() must follow.
llvm::BasicBlock* peel_loop(llvm::Function& kernel, unsigned width, const GroupStridedLoop& shape,
                            llvm::Value* is_redistributed, UnmaskedLoops& redistributed);

} // namespace heddle::compiler
