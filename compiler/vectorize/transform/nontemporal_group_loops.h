// Loops over what a group shares out that write more than caches hold.
#pragma once

#include "compiler/vectorize/analysis/plan.h"
#include "compiler/vectorize/transform/peel_masked_remainder.h"

namespace heddle::compiler {

// On stores of which lane 0's address is one of a whole line.
constexpr auto kWholeLine = "heddle.line";

// A line that is overwritten is read first, unless it is stored past the caches. Where the first
// sub-group does all rounds of such a loop, and these fill whole lines of an argument that the
// kernel does not read, they store so in launches that write more than caches hold. Says whether
// there is such a loop: then what is stored has to be ordered with what tells others that it is
// there.
bool mark_nontemporal_group_loops(llvm::Function& kernel, const VectorPlan& plan,
                                  const UnmaskedLoops& loops);

} // namespace heddle::compiler
