// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/analysis/scalarized_access.h"

#include "compiler/analysis/polled_places.h"
#include "compiler/vectorize/analysis/lane_shapes.h"
#include "llvm/IR/InstIterator.h"

namespace heddle::compiler {

bool is_scalarized_access(const llvm::Instruction& instruction, const LaneShapes& shapes) {
  if (!instruction.isVolatile() || instruction.isAtomic())
    return instruction.isAtomic();
  const auto* address = llvm::getLoadStorePointerOperand(&instruction);
  return address == nullptr || is_private(*address) ||
         (!shapes.stride(*address) && !shapes.likely_stride(*address));
}

bool has_scalarized_access(const llvm::Function& kernel, const LaneShapes& shapes) {
  return llvm::any_of(llvm::instructions(kernel), [&](const llvm::Instruction& instruction) {
    return is_scalarized_access(instruction, shapes);
  });
}

} // namespace heddle::compiler
