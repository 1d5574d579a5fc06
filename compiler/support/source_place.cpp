// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/support/source_place.h"

#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/DebugInfoMetadata.h"

namespace heddle::compiler {
namespace {

// The builtin library has no line tables: its instructions have the location of the call.
std::optional<SourcePlace> own_place(const llvm::Instruction& instruction) {
  const auto& location = instruction.getDebugLoc();
  if (!location || location.getLine() == 0)
    return std::nullopt;
  return SourcePlace{location->getFilename().str(), location.getLine(), location.getCol()};
}

} // namespace

SourcePlace place_of(const llvm::Function& function) {
  const auto* subprogram = function.getSubprogram();
  if (subprogram == nullptr)
    return {};
  return {subprogram->getFilename().str(), subprogram->getLine(), 0};
}

SourcePlace place_of(const llvm::Instruction& instruction) {
  for (const auto* near = &instruction; near != nullptr; near = near->getPrevNode())
    if (auto place = own_place(*near))
      return *place;
  for (const auto* near = instruction.getNextNode(); near != nullptr; near = near->getNextNode())
    if (auto place = own_place(*near))
      return *place;
  return place_of(*instruction.getFunction());
}

} // namespace heddle::compiler
