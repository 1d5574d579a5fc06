// Variables whose place is known only when a work-item runs.
#pragma once

#include "compiler/passes/abi_access.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/GlobalVariable.h"

namespace heddle::compiler {

// Makes code that computes the address, as a plain pointer, in a function that has `group`, its
// abi::Group.
using AddressMaker = llvm::function_ref<llvm::Value*(AbiAccess& access, llvm::Value* group)>;

// Puts the address in the place of the variable in all instructions. It is computed once in each
// function, at its start.
void replace_in_code(llvm::GlobalVariable& variable, AddressMaker make_address);

} // namespace heddle::compiler
