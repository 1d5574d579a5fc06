// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gathers and scatters whose addresses are computed from ids.
#pragma once

#include "llvm/IR/Instructions.h"

namespace heddle::compiler {

// Marks a gather or scatter whose addresses are computed from ids, not loaded: lanes may be in an
// order that only their values show, such as that of a sorting network.
void mark_id_based_access(llvm::Instruction& access);
void unmark_id_based_access(llvm::Instruction& access);

// Whether the access has the mark. After the target's passes for gathers: whether it is executed
// where lanes are not near.
bool is_id_based_access(const llvm::Instruction& access);

} // namespace heddle::compiler
