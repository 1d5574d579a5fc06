// Loops over what a group shares out that write more than caches hold.
#pragma once

#include "compiler/vectorise/plan.h"
#include "compiler/vectorise/whole_rounds.h"

namespace heddle::compiler {

// On stores of which lane 0's address is one of a whole line.
constexpr auto kWholeLine = "heddle.line";

// A line that is overwritten is read first, unless it is stored past the caches. Where the first
// sub-group does all rounds of such a loop, and these fill whole lines of an argument that the
// kernel does not read, they store so in launches that write more than caches hold. Says whether
// there is such a loop: then what is stored has to be ordered with what tells others that it is
// there.
bool stream_rounds(llvm::Function& kernel, const VectorPlan& plan, const WholeLoops& loops);

} // namespace heddle::compiler
