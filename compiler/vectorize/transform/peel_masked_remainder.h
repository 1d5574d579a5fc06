// Loops that work-items leave one after the other, as they go over what a group shares out
// (i = get_local_id(0); i < n; i += get_local_size(0)).
#pragma once

#include "compiler/vectorize/analysis/plan.h"
#include "compiler/vectorize/transform/redistribute_group_loops.h"

namespace heddle::compiler {

// On the ends of blocks that only rounds come to that not all lanes are in.
constexpr auto kRestOfRounds = "heddle.rest";

// A loop for whole rounds of which the first sub-group does all of its row's.
struct UnmaskedLoop {
  llvm::WeakVH header;
  llvm::WeakTrackingVH limit; // of the index, which begins at the local id
  bool is_signed;
};
using UnmaskedLoops = llvm::SmallVector<UnmaskedLoop, 2>;

// Gives such loops a first loop for the rounds that all lanes of a sub-group are in: it has no
// masks, and in it the index is known not to wrap around between lanes. The rounds that are left
// run in the loop as it was. Only for forms in which lane i is local id x + i; the function is and
// stays as canonicalize() leaves it. Returns the loops that are handed over.
UnmaskedLoops peel_masked_remainder(llvm::Function& kernel, const VectorPlan& plan,
                                    const RedistributedLoops& redistributed);

} // namespace heddle::compiler
