// Comparisons of numbers that differ from lane to lane with ones that all lanes have.
#pragma once

#include "compiler/vectorize/analysis/lane_shapes.h"
#include "llvm/IR/Instructions.h"

namespace heddle::compiler {

struct UniformBound {
  // Nothing if the condition is something else. `is_met`: what is asked for, the condition or its
  // opposite.
  static std::optional<UniformBound> find(const llvm::Value& condition, bool is_met,
                                          const LaneShapes& shapes);

  llvm::Value* number = nullptr; // of 32 or 64 bits
  llvm::Value* limit = nullptr;
  llvm::ICmpInst::Predicate predicate = llvm::ICmpInst::BAD_ICMP_PREDICATE; // number ? limit
  std::uint64_t stride = 0; // what the number goes up by from lane to lane; 0: something else

  bool is_below() const {
    return llvm::ICmpInst::isLT(predicate) || llvm::ICmpInst::isLE(predicate);
  }
};

} // namespace heddle::compiler
