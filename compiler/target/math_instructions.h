// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of builtins/math_machine.h that the target has instructions for. Defined in the
// target's folder.
#pragma once

#include "compiler/target/target_info.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

namespace heddle::compiler::math_instructions {

// Whether some CPU of the target has them for the function.
bool are_known(llvm::StringRef function);

// Whether the CPU has them for the function; or, if it is one by which the library asks for others
// (__heddle_math_has_pick), whether it has them for those.
bool exist(llvm::StringRef function, const TargetInfo& target);

// The number of elements that one instruction computes, for a function of any width with this
// result; 0: it is computed in another way.
unsigned elements_at_once(llvm::StringRef function, llvm::Type& result);

// The result of one instruction, for operands that fill a register. Operands that are pointers are
// those of the call.
llvm::Value* emit(llvm::CallInst& call, llvm::ArrayRef<llvm::Value*> operands,
                  llvm::IRBuilder<>& builder);
// The other way.
llvm::Value* emit_scalar(llvm::CallInst& call, llvm::IRBuilder<>& builder);

} // namespace heddle::compiler::math_instructions
