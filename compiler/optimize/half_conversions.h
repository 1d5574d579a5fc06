// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions from and to half, scalar or vector, as instructions that the CPU has.
#pragma once

#include "llvm/IR/IRBuilder.h"

namespace heddle::compiler {

// `type` with `element` as its scalar type.
llvm::Type* with_element(llvm::Type* type, llvm::Type* element);

// The value as floats: exact. Without `has_conversions`, instructions for it, in integer
// arithmetic.
llvm::Value* half_to_float(llvm::IRBuilderBase& builder, llvm::Value* value, bool has_conversions);

// Rounded to nearest even.
llvm::Value* float_to_half(llvm::IRBuilderBase& builder, llvm::Value* value, bool has_conversions);

// Floats that round to the half that `value`, doubles, round to.
llvm::Value* double_to_odd_float(llvm::IRBuilderBase& builder, llvm::Value* value);

// Floats that round to the half nearest to a b + c, for floats that halves represent.
llvm::Value* odd_fma_of_halves(llvm::IRBuilderBase& builder, llvm::Value* a, llvm::Value* b,
                               llvm::Value* c);

} // namespace heddle::compiler
