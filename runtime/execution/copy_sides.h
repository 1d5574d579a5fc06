// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an async copy reads and writes, from the record of its call
// (compiler/interface/check_record.h).
#pragma once

#include "compiler/interface/check_record.h"

namespace heddle {

// Sizes and strides come from the program, and products of three of them need more than 64 bits.
using WideInteger = __int128;

// The source or destination of a copy: lines of bytes at a pitch, in planes at a pitch.
struct CopySide {
  abi::CheckOperand pointer;
  bool writes;
  WideInteger offset; // in bytes, like all following members
  WideInteger line;
  WideInteger lines = 1;
  WideInteger planes = 1;
  WideInteger line_step = 0;
  WideInteger plane_step = 0;
  bool may_be_foreign = false; // no error of a place in none of the known blocks
};

struct CopySides {
  CopySide to;
  CopySide from;
  bool is_empty() const { return to.line == 0 || to.lines == 0 || to.planes == 0; }
};

// `given` are the arguments of the call without events, and the element's size of typed copies.
CopySides copy_sides(abi::CheckedCall call, const abi::CheckOperand* given);

} // namespace heddle
