// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// More parameters and results for functions that are not inlined, which checks need.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace heddle::compiler {

// Whether nothing is known of the function but what its calls pass.
bool is_only_called_directly(const llvm::Function& function);

// The number of parameters before those that identify the work-item (ir/work_item_params.h).
unsigned own_parameters(const llvm::Function& function);

// Replaces a function that is only called directly, and its calls, by one that has parameters of
// the `added` types behind its own ones, and returns a structure of its result and `added_results`.
// The calls pass zeros. The function's return instructions still have the old result alone, until
// complete_return is called.
//
//   define i32 @f(i32 %x, ptr %group, ...)
//   define { i32, i64 } @f(i32 %x, i64 %added, ptr %group, ...)
llvm::Function& extend_function(llvm::Function& old, llvm::ArrayRef<llvm::Type*> added,
                                llvm::ArrayRef<llvm::Type*> added_results);
void complete_return(llvm::ReturnInst& end, llvm::ArrayRef<llvm::Value*> added);

} // namespace heddle::compiler
