// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a value of the scalar kernel is represented in vector code.
#pragma once

#include "compiler/vectorize/analysis/lane_shapes.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"

namespace heddle::compiler {

// Vectors, structures and arrays are split into their components, in memory order.
unsigned component_count(llvm::Type* type);
llvm::Type* component_type(llvm::Type* type, unsigned index);
// In bytes from the start of the value.
std::uint64_t component_offset(llvm::Type* type, unsigned index, const llvm::DataLayout& layout);
// Index of the first component of member `index`.
unsigned first_component(llvm::Type* type, unsigned index);

struct VectorValue {
  enum class Kind : std::uint8_t {
    uniform, // one value for each row, not split
    affine,  // lane 0's value for each row; those of other lanes follow from the stride
    lanes,   // one vector for each row and component
  };
  Kind kind = Kind::lanes;
  bool by_row = false; // else all rows have the same value
  Stride stride = 0;
  unsigned components = 1;
  llvm::SmallVector<llvm::Value*, 4> parts;

  llvm::Value*& at(unsigned row, unsigned component = 0) {
    const unsigned each = kind == Kind::lanes ? components : 1;
    return parts[(by_row ? row : 0) * each + component];
  }
};

} // namespace heddle::compiler
