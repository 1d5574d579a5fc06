// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The length of vector registers as an attribute of functions. Defined in the target's folder.
#pragma once

#include "llvm/IR/Function.h"

namespace heddle::compiler {

// Says that the function uses registers of TargetInfo::declared_vector_bits, which is not zero.
void declare_vector_bits(llvm::Function& function, unsigned bits);

} // namespace heddle::compiler
