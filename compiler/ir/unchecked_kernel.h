// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A second kernel beside one whose work-items are checked by HEDDLE_CHECK=race: without checks, and
// vectorized. The first one's wrapper calls the second one's instead of running groups if its order
// condition holds: then no race is possible. The second one is no entry of the kernel table, and no
// kernel for the runtime.
#pragma once

#include "compiler/ir/kernel.h"

namespace heddle::compiler {

bool is_unchecked_kernel(const Kernel& kernel);
// Of such a kernel, which is known by it from then on.
void set_unchecked_entry(Kernel& kernel, llvm::Function& entry);
// Makes the second kernel, with its body and the condition, a function with the parameters of the
// body that returns an i1.
Kernel make_unchecked_kernel(Kernel& kernel, llvm::Function& body, const llvm::Function& condition);
// The second kernel of this one; null: it has none.
Kernel* unchecked_kernel(Kernels& kernels, const Kernel& kernel);
llvm::Function* order_condition(const Kernel& kernel);

} // namespace heddle::compiler
