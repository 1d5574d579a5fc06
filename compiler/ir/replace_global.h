// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replaces global variables whose address is known only when a work-item runs.
#pragma once

#include "compiler/ir/abi_builder.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/GlobalVariable.h"

namespace heddle::compiler {

// Emits the address, a pointer in the address space of the variable, in a function with the
// abi::Group `group`. It must not be cast from the private address space: alias analyses look
// through casts, and private memory does not alias other memory (AddressSpaceAA).
using AddressMaker = llvm::function_ref<llvm::Value*(AbiBuilder& access, llvm::Value* group)>;

// Replaces all uses of the variable in instructions by the address, which is computed once at the
// start of each function.
void replace_global_uses(llvm::GlobalVariable& variable, AddressMaker make_address);

} // namespace heddle::compiler
