// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/codegen/machine_size.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

namespace heddle::compiler {
namespace {

// For each lane of an access without hardware support: a block of its own.
constexpr std::uint64_t kPerLane = 5;

bool is_gather_or_scatter(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return call != nullptr && (call->getIntrinsicID() == llvm::Intrinsic::masked_gather ||
                             call->getIntrinsicID() == llvm::Intrinsic::masked_scatter);
}

llvm::FixedVectorType* widest_vector(const llvm::Instruction& instruction) {
  auto* type = instruction.getType();
  for (const auto* operand : instruction.operand_values()) // of stores and comparisons
    if (operand->getType()->isVectorTy())
      type = operand->getType();
  return llvm::dyn_cast<llvm::FixedVectorType>(type);
}

} // namespace

std::uint64_t machine_size(const llvm::Function& function, const TargetInfo& target) {
  const auto& layout = function.getParent()->getDataLayout();
  const auto bits = target.vector_bits;
  const bool gathers = target.has_gathers;
  std::uint64_t size = 0;
  for (const auto& instruction : llvm::instructions(function)) {
    auto* vector = widest_vector(instruction);
    if (vector == nullptr) {
      ++size;
      continue;
    }
    size += std::max<std::uint64_t>(1, layout.getTypeSizeInBits(vector).getFixedValue() / bits);
    if (!gathers && is_gather_or_scatter(instruction))
      size += kPerLane * vector->getNumElements();
  }
  return size;
}

} // namespace heddle::compiler
