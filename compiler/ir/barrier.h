// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The two calls at which a sub-group lets the others of its group run, without bodies until
// LowerBarriersPass: a barrier, and a yield (lower/mark_polling_loops.h).
#pragma once

#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace heddle::compiler {

// Declares them. LLVM neither duplicates nor moves barriers.
llvm::Function& declare_barrier(llvm::Module& module);
llvm::Function& declare_yield(llvm::Module& module);

// Null: nothing has declared it.
llvm::Function* find_barrier(const llvm::Module& module);
llvm::Function* find_yield(const llvm::Module& module);

// Whether this is that function, or a call of it.
bool is_barrier(const llvm::Function& function);
bool is_barrier(const llvm::Instruction& instruction);
bool is_yield(const llvm::Function& function);
bool is_yield(const llvm::Instruction& instruction);

} // namespace heddle::compiler
