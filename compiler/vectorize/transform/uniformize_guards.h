// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bounds checks and checks for borders at the start of a kernel:
//
//   before                 after
//   if (i < n)             if (i < n in all lanes)
//     BODY                   BODY
//   else                   else
//     NOTHING OR RARE        start again in the masked variant
#pragma once

#include "compiler/ir/kernel_pass.h"
#include "compiler/vectorize/analysis/analyses.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PassManager.h"

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

// Makes the guards uniform: if not all lanes of all rows pass, the sub-group starts again in the
// masked variant, or returns if all of them fail. For variants with LaneMapping::row that have a
// masked variant to start again in.
class UniformizeGuardsPass : public KernelPass<UniformizeGuardsPass> {
 public:
  static constexpr bool kNeedsPlan = true;

  using KernelPass::KernelPass;
  llvm::PreservedAnalyses run_on_kernel(Kernel& kernel, llvm::FunctionAnalysisManager& analyses);
};

// Whether the condition is true (!is_true: false) for few work-items: equality is, as at the border
// of an image.
bool is_rare(const llvm::Value& condition, bool is_true);

// Whether the instruction may be executed twice, and before the instructions that precede it.
bool is_repeatable(const llvm::Instruction& instruction);

} // namespace heddle::compiler
