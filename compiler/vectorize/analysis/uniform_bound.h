// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Comparisons of varying or affine integers with uniform ones.
#pragma once

#include "compiler/vectorize/analysis/lane_shapes.h"
#include "llvm/IR/Instructions.h"

namespace heddle::compiler {

struct UniformBound {
  // Matches the condition (is_true) or its inverse (!is_true); nothing if it is not such a
  // comparison.
  static std::optional<UniformBound> find(const llvm::Value& condition, bool is_true,
                                          const LaneShapes& shapes);

  llvm::Value* number = nullptr; // of 32 or 64 bits
  llvm::Value* limit = nullptr;
  llvm::ICmpInst::Predicate predicate = llvm::ICmpInst::BAD_ICMP_PREDICATE; // number ? limit
  std::uint64_t stride = 0; // of the number from lane to lane, if positive and small; else 0

  bool is_below() const {
    return llvm::ICmpInst::isLT(predicate) || llvm::ICmpInst::isLE(predicate);
  }
};

} // namespace heddle::compiler
