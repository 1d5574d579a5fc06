// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds bounds checks and checks for borders at the start of a kernel and behind its work.
#pragma once

#include "compiler/vectorize/analysis/analyses.h"
#include "compiler/vectorize/analysis/uniform_bound.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"

#include <optional>

namespace heddle::compiler {

// A branch before which the kernel has no side effects, and one side of which returns or is
// executed by few work-items.
struct Guard {
  llvm::BasicBlock* block = nullptr; // ends with the branch
  unsigned inside = 0;               // index of the successor that is the common case
};

// The guards that are divergent between lanes or interleaved rows, and for which lane 0's values
// show whether all lanes pass: comparisons of ids, and conjunctions of these.
struct Guards {
  llvm::SmallVector<Guard, 4> found; // in order of execution
  // Those behind the kernel's work, which can be decided before `place` (late_guards.h).
  llvm::SmallVector<llvm::BranchInst*, 2> late;
  llvm::Instruction* place = nullptr;
  bool empty() const { return found.empty() && late.empty(); }
};

// Without those of group-strided loops (group_strided_loop.h).
Guards find_guards(llvm::Function& kernel, const Analyses& analyses);

// The bound that the condition compares an id with, if lane 0's value shows whether it holds
// (!is_true: does not hold) in all lanes.
std::optional<UniformBound> match_guard_limit(llvm::Value& condition, bool is_true,
                                              const LaneShapes& shapes);

// Whether the block leads to the return without any other instruction.
bool leads_to_return(const llvm::BasicBlock* block);

// Whether the condition is true (!is_true: false) for few work-items: equality is, and what is
// outside of a range (`x < 0 || x >= w`), as at the border of an image.
bool is_rare(const llvm::Value& condition, bool is_true);

// Whether the instruction may be executed twice, and before the instructions that precede it.
bool is_repeatable(const llvm::Instruction& instruction);

} // namespace heddle::compiler
