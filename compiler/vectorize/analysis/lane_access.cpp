// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/analysis/lane_access.h"

#include "compiler/vectorize/analysis/scalarized_access.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

namespace heddle::compiler {

LaneAccess lane_access(const llvm::Instruction& instruction, const LaneShapes& shapes) {
  const auto& address = *llvm::getLoadStorePointerOperand(&instruction);
  auto* type = llvm::getLoadStoreType(const_cast<llvm::Instruction*>(&instruction));
  LaneAccess access;
  access.bytes =
      static_cast<Stride>(instruction.getDataLayout().getTypeStoreSize(type).getFixedValue());
  access.is_scalarized = is_scalarized_access(instruction, shapes);
  if (const auto stride = shapes.stride(address)) {
    access.kind = *stride == 0 ? LaneAccess::Kind::uniform : LaneAccess::Kind::strided;
    access.stride = *stride;
  } else if (const auto likely = shapes.likely_stride(address)) {
    access.kind = LaneAccess::Kind::likely_strided;
    access.stride = *likely;
  }
  return access;
}

static llvm::StringRef name_of(LaneAccess::Kind kind) {
  switch (kind) {
  case LaneAccess::Kind::uniform:
    return "uniform";
  case LaneAccess::Kind::strided:
    return "strided";
  case LaneAccess::Kind::likely_strided:
    return "likely strided";
  case LaneAccess::Kind::scattered:
    return "scattered";
  }
  llvm_unreachable("no kind");
}

void print_lane_accesses(const llvm::Function& kernel, const LaneShapes& shapes,
                         llvm::raw_ostream& out) {
  out << "Lane accesses of " << kernel.getName() << ":\n";
  for (const auto& instruction : llvm::instructions(kernel)) {
    if (llvm::getLoadStorePointerOperand(&instruction) == nullptr)
      continue;
    const auto access = lane_access(instruction, shapes);
    out << name_of(access.kind);
    if (access.kind == LaneAccess::Kind::strided || access.kind == LaneAccess::Kind::likely_strided)
      out << " by " << access.stride;
    out << ", " << access.bytes << (access.bytes == 1 ? " byte" : " bytes")
        << (access.is_scalarized ? ", lane by lane" : "") << ":" << instruction << "\n";
  }
}

} // namespace heddle::compiler
