// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/analysis/uniform_bound.h"

namespace heddle::compiler {
namespace {

constexpr Stride kMaxBoundStride = 1 << 20;

} // namespace

std::optional<UniformBound> UniformBound::find(const llvm::Value& condition, bool is_true,
                                               const LaneShapes& shapes) {
  const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(&condition);
  if (compare == nullptr)
    return std::nullopt;
  const auto* type = compare->getOperand(0)->getType();
  if (!type->isIntegerTy(32) && !type->isIntegerTy(64))
    return std::nullopt;
  UniformBound found{compare->getOperand(0), compare->getOperand(1), compare->getPredicate()};
  if (!is_true)
    found.predicate = llvm::ICmpInst::getInversePredicate(found.predicate);
  if (shapes.is_uniform(*found.number)) {
    std::swap(found.number, found.limit);
    found.predicate = llvm::ICmpInst::getSwappedPredicate(found.predicate);
  }
  if (shapes.is_uniform(*found.number) || !shapes.is_uniform(*found.limit))
    return std::nullopt;
  const auto stride = shapes.stride(*found.number);
  if (stride && *stride > 0 && *stride <= kMaxBoundStride)
    found.stride = static_cast<std::uint64_t>(*stride);
  return found;
}

} // namespace heddle::compiler
