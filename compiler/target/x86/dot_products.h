// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dot products of the four bytes of 32-bit elements: VNNI.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/IRBuilder.h"

namespace heddle::compiler {

// __heddle_math_dot_i and __heddle_math_dot_sat_i (builtins/math_machine.h), of any width.
bool is_dot_product(llvm::StringRef function);
// Whether the CPU has them, which the library asks with this function.
inline constexpr llvm::StringLiteral kHasDotProducts = "__heddle_math_has_dot";

// One instruction, for operands of 128, 256 or 512 bits: accumulator, unsigned and signed bytes.
llvm::Value* dot_product(llvm::StringRef function, llvm::IRBuilder<>& builder,
                         llvm::ArrayRef<llvm::Value*> operands);

} // namespace heddle::compiler
