// Groups of which the first sub-group does everything.
#pragma once

#include "llvm/IR/Function.h"

namespace heddle::compiler {

// The form that does all there is to do in a group of one row of whole sub-groups, if it is run for
// the first of these. Nobody else is there to meet at barriers. It is not to be inlined: the
// kernel's other forms would take its registers.
struct FirstAlone {
  llvm::Function* form = nullptr; // null: there is none; local ids are zero in it
  // Says whether the form may be run: it is for launches that read their tiles in place (`when`
  // takes the same parameters; null: it is for all).
  llvm::Function* when = nullptr;
};

// Of a vector form of a kernel before it is split at its barriers. Exists if the other sub-groups
// do nothing that anyone could see: what is done is what one work-item does for its group (async
// copies), or is handed over (vectorise/hand_over.h).
FirstAlone first_alone(llvm::Function& form);

} // namespace heddle::compiler
