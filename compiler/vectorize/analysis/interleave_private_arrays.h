// Private arrays are laid out with one element's lanes side by side, so that an access with the
// same index in all lanes is one wide load or store.
#pragma once

#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace heddle::compiler {

// Rewrites the addresses inside the variables for which this is possible: those that are only read
// and written with elements of one size. The function then has meaning only for the vectoriser,
// which gives every such variable `width` times its size.
void interleave_private_arrays(llvm::Function& kernel, unsigned width);

// Bytes from one lane's first element to the next lane's; nothing of a variable that every lane has
// to itself in one piece.
std::optional<std::int64_t> interleaved_step(const llvm::AllocaInst& variable);

// Bytes that each lane has of a variable: as many as let all lanes' be aligned as the variable is.
std::int64_t bytes_per_lane(const llvm::AllocaInst& variable);

} // namespace heddle::compiler
