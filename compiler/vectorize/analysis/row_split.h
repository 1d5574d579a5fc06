// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows and columns of a picture in launches of one dimension.
#pragma once

#include "llvm/IR/Instructions.h"

#include <optional>

namespace heddle::compiler {

// The row or the column of a number: x / n or x % n, x >> k or x & (2^k - 1), or the first number
// of the row, x & -(2^k). Where x is consecutive from lane to lane, most sub-groups are inside of
// one row: there the row is the same for all lanes, and columns are consecutive.
struct RowSplit {
  const llvm::Value* number = nullptr;
  const llvm::Value* columns = nullptr; // of a row; null: 2^bits; if signed, only where positive
  unsigned bits = 0;
  bool is_row = false;
  bool is_signed = false; // a division of signed numbers
};

// Nothing if rows have fewer columns than sub-groups often have lanes.
std::optional<RowSplit> row_split(const llvm::Instruction& instruction);

} // namespace heddle::compiler
