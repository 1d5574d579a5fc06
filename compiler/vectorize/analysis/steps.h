// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How values change from one id, or one iteration, to the next: an estimate for heuristics.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/LoopInfo.h"
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

// The steps of a function's values from one id, or one iteration of a loop, to the next. Ignores
// that work-items may take different branches.
class Steps {
 public:
  // When `id` becomes one more.
  Steps(const llvm::Function& function, const llvm::Value& id);
  // From one iteration of the loop to the next.
  Steps(const llvm::Function& function, const llvm::Loop& loop);
  Step of(const llvm::Value& value) const;

 private:
  Step of_operand(const llvm::Instruction& instruction, unsigned i) const {
    return of(*instruction.getOperand(i));
  }
  Step of_address(const llvm::GetElementPtrInst& address) const;
  Step of_recurrence(const llvm::PHINode& phi, const llvm::BasicBlock& latch) const;
  Step compute(const llvm::Instruction& instruction) const;
  void compute_all(const llvm::Function& function);

  llvm::DenseMap<const llvm::Value*, Step> origins_;
  const llvm::DataLayout& layout_;
  llvm::DenseMap<const llvm::Value*, Step> steps_;
};

} // namespace heddle::compiler
