// Variables whose place is known only when a work-item runs.
#pragma once

#include "compiler/ir/abi_builder.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/GlobalVariable.h"

namespace heddle::compiler {

// Makes code that computes the address, a pointer of the variable's address space, in a function
// that has `group`, its abi::Group. No cast from the private space may be on the way to it: alias
// analyses look through casts, and private memory has nothing in common with other memory
// (AddressSpaceAA).
using AddressMaker = llvm::function_ref<llvm::Value*(AbiBuilder& access, llvm::Value* group)>;

// Puts the address in the place of the variable in all instructions. It is computed once in each
// function, at its start.
void replace_global_uses(llvm::GlobalVariable& variable, AddressMaker make_address);

} // namespace heddle::compiler
