// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a function that is called once for all lanes takes its arguments.
#pragma once

#include "compiler/vectorize/analysis/lane_shapes.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace heddle::compiler {

struct FormArgument {
  enum class Kind : std::uint8_t {
    uniform, // one value
    strided, // lane 0's value: lane i has `stride` times i more (bytes for pointers)
    lanes,   // a vector for each component
  };
  Kind kind = Kind::lanes;
  Stride stride = 0;
};

struct FormShape {
  unsigned width = 16;
  bool masked = false; // the last argument is the mask of active lanes; else all are
  llvm::SmallVector<FormArgument, 8> arguments;

  // "8m.u.s216.v": eight lanes, masked; a uniform value, pointers 216 bytes apart, and a vector.
  std::string text() const;
  static FormShape from_text(llvm::StringRef text);
};

} // namespace heddle::compiler
