// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The analyses of a kernel's control flow and values that transforms and heuristics share.
#pragma once

#include "compiler/vectorize/analysis/lane_shapes.h"
#include "llvm/Analysis/LoopInfo.h"

namespace heddle::compiler {

// Computed at once; a change of the kernel invalidates them.
struct Analyses {
  Analyses(llvm::Function& kernel, const VectorPlan& plan)
      : dominators(kernel), loops(dominators), cycles(compute_cycles(kernel)),
        shapes(kernel, plan, dominators, cycles, loops) {}
  static llvm::CycleInfo compute_cycles(llvm::Function& kernel) {
    llvm::CycleInfo cycles;
    cycles.compute(kernel);
    return cycles;
  }
  llvm::DominatorTree dominators;
  llvm::LoopInfo loops;
  llvm::CycleInfo cycles;
  LaneShapes shapes;
};

} // namespace heddle::compiler
