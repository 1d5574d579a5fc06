// Groups of which the first sub-group does everything.
#pragma once

#include "llvm/IR/Function.h"

namespace heddle::compiler {

// Of a vector form of a kernel before it is split at its barriers: a form without barriers that
// does all there is to do in a group of one row of whole sub-groups, if it is run for the first of
// these (null: there is none). It exists if the others do nothing that anyone could see: what is
// done is what one work-item does for its group (async copies), or is handed over
// (vectorise/hand_over.h). Nobody else is there to meet at barriers.
llvm::Function* first_alone(llvm::Function& form);

} // namespace heddle::compiler
