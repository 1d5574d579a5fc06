// Integer division that does not trap.
#pragma once

#include "llvm/IR/Module.h"

namespace heddle::compiler {

// OpenCL C 6.4: dividing by zero, and the least value by -1, give an unspecified value and raise no
// exception. Divisors for which that cannot be excluded are replaced by 1 in those cases.
void guard_division(llvm::Module& module);

} // namespace heddle::compiler
