// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes vectors of lanes of other vectors.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/IRBuilder.h"

namespace heddle::compiler {

// One lane of a vector, or a scalar. Null: any value.
struct Lane {
  llvm::Value* value = nullptr;
  unsigned index = 0;
};

// A value of the type of `lanes`' elements, bit for bit: a vector with an element for each of
// `lanes`, or for one lane a scalar if `is_scalar`. Shuffles work on registers of `register_bits`
// bits, of two sources each; `shuffles` is increased by their number.
llvm::Value* build_lanes(llvm::IRBuilderBase& builder, llvm::ArrayRef<Lane> lanes,
                         llvm::Type* element, bool is_scalar, unsigned register_bits,
                         unsigned& shuffles);

} // namespace heddle::compiler
