// A scalar value of the kernel as the vector code holds it.
#pragma once

#include "compiler/vectorize/analysis/lane_shapes.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"

namespace heddle::compiler {

// Vectors, structures and arrays are taken apart: their components in memory order.
unsigned component_count(llvm::Type* type);
llvm::Type* component_type(llvm::Type* type, unsigned index);
// Bytes from the start of the whole.
std::uint64_t component_offset(llvm::Type* type, unsigned index, const llvm::DataLayout& layout);
// Number of the first component of member `index`.
unsigned first_component(llvm::Type* type, unsigned index);

struct VectorValue {
  enum class Kind : std::uint8_t {
    uniform, // one whole value for each row
    line,    // lane 0's value for each row; the others by a stride
    lanes,   // one vector for each row and component
  };
  Kind kind = Kind::lanes;
  bool by_row = false; // else all rows share the first one's
  Stride stride = 0;
  unsigned components = 1;
  llvm::SmallVector<llvm::Value*, 4> parts;

  llvm::Value*& at(unsigned row, unsigned component = 0) {
    const unsigned each = kind == Kind::lanes ? components : 1;
    return parts[(by_row ? row : 0) * each + component];
  }
};

} // namespace heddle::compiler
