// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/support/source_place.h"

#include "llvm/IR/BasicBlock.h"

namespace heddle::compiler {
namespace {

// The builtin library has no line tables: its instructions have the location of the call.
bool has_own_place(const llvm::Instruction& instruction) {
  const auto& location = instruction.getDebugLoc();
  return location && location.getLine() != 0;
}

// Null: there is none in its block.
const llvm::DILocation* nearest_location(const llvm::Instruction& instruction) {
  for (const auto* near = &instruction; near != nullptr; near = near->getPrevNode())
    if (has_own_place(*near))
      return near->getDebugLoc().get();
  for (const auto* near = instruction.getNextNode(); near != nullptr; near = near->getNextNode())
    if (has_own_place(*near))
      return near->getDebugLoc().get();
  return nullptr;
}

} // namespace

SourcePlace place_of(const llvm::Function& function) {
  const auto* subprogram = function.getSubprogram();
  if (subprogram == nullptr)
    return {};
  return {subprogram->getFilename().str(), subprogram->getLine(), 0};
}

SourcePlace place_of(const llvm::Instruction& instruction) {
  if (const auto* location = nearest_location(instruction))
    return {location->getFilename().str(), location->getLine(), location->getColumn()};
  return place_of(*instruction.getFunction());
}

const llvm::DISubprogram* subprogram_of(const llvm::Instruction& instruction) {
  const auto* location = nearest_location(instruction);
  return location != nullptr ? location->getScope()->getSubprogram()
                             : instruction.getFunction()->getSubprogram();
}

} // namespace heddle::compiler
