// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How values change from one id, or one iteration, to the next: an estimate for heuristics.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

#include <cstdint>
#include <optional>

namespace heddle::compiler {

// The change of a value, if nothing wraps around.
struct Step {
  enum class Kind : std::uint8_t { unvisited, constant, varying };
  Kind kind = Kind::unvisited;
  std::int64_t size = 0; // in bytes for pointers
  bool operator==(const Step&) const = default;

  static Step of(std::int64_t size) { return {Kind::constant, size}; }
  static Step varying() { return {Kind::varying, 0}; }
  bool is_uniform() const { return kind == Kind::constant && size == 0; }
  // The step of `factor` times the value.
  Step times(std::int64_t factor) const {
    std::int64_t product = 0;
    if (kind != Kind::constant)
      return *this;
    return __builtin_mul_overflow(size, factor, &product) ? varying() : of(product);
  }
};

// The steps of a function's values when `origin`, an id or the counter of a loop, becomes one more.
// Ignores that work-items may take different branches.
class Steps {
 public:
  Steps(const llvm::Function& function, const llvm::Value& origin);
  Step of(const llvm::Value& value) const;

 private:
  Step of_operand(const llvm::Instruction& instruction, unsigned i) const {
    return of(*instruction.getOperand(i));
  }
  Step of_address(const llvm::GetElementPtrInst& address) const;
  Step compute(const llvm::Instruction& instruction) const;

  const llvm::Value& origin_;
  const llvm::DataLayout& layout_;
  llvm::DenseMap<const llvm::Value*, Step> steps_;
};

} // namespace heddle::compiler
