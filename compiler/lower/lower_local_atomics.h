// A work-group runs on one thread: atomic accesses to its local memory need no locks.
#pragma once

#include "llvm/IR/Module.h"

namespace heddle::compiler {

// After the vectoriser, which must still know that lanes go one after the other there.
void lower_local_atomics(llvm::Module& module);

} // namespace heddle::compiler
