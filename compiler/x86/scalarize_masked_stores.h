// Masked stores that store one known element.
#pragma once

#include "llvm/IR/Module.h"

namespace heddle::compiler {

// Masked stores whose mask is known to have one lane, as those of a sub-group's rest of one
// work-item, become stores of that element. LLVM 22 stores too much for them where the values are
// truncated ones: the element as it was before (llvm/llvm-project#179489). Comes last: masks become
// known on the way.
void scalarize_masked_stores(llvm::Module& module);

} // namespace heddle::compiler
