// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cost model of a kernel's loops in scalar and vector code.
#pragma once

#include "compiler/target/target_info.h"
#include "compiler/vectorize/analysis/analyses.h"

namespace heddle::compiler {

// Whether the loops are clearly faster in scalar code: a gathered element takes several cycles, a
// scalar load half a cycle, so that loops that mostly gather are slower in vector code. The kernel
// must be canonical and have no private variables in memory. False for kernels without loops.
bool is_faster_scalar(const Analyses& analyses, unsigned width, unsigned register_bits);

bool accesses_memory_in_loops(const llvm::Function& kernel, const llvm::LoopInfo& loops);

// Whether a loop stores to addresses without a stride between lanes.
bool scatters_in_loops(const Analyses& analyses);

// Whether a kernel that is mostly written with vector types is faster one work-item after the
// other: its own vectors fill registers then, but wait for each other's results, while sub-groups
// compute on components of several work-items and must transpose what they load and store.
bool is_faster_with_own_vectors(const llvm::Function& kernel, const LaneShapes& shapes,
                                const llvm::LoopInfo& loops, unsigned width, unsigned register_bits,
                                unsigned registers);

// Whether the vector code of the most deeply nested loops waits for loop-carried dependences for so
// long that a second sub-group could execute in the meantime.
bool waits_for_results(const LaneShapes& shapes, const llvm::LoopInfo& loops, unsigned width,
                       const TargetInfo& target);

// Whether the innermost loops compute mostly what is the same for all lanes of a sub-group.
bool shares_most_work(const LaneShapes& shapes, const llvm::LoopInfo& loops, unsigned width,
                      const TargetInfo& target);

// The vector instructions of an iteration of the loop, with those of its inner loops.
double vector_instructions(const llvm::Loop& loop, const LaneShapes& shapes,
                           const llvm::LoopInfo& loops, unsigned lanes, const TargetInfo& target);

// Whether sub-groups of so many lanes wait for their own results for so long that they take about
// as long as those of half the lanes: for loop-carried dependences of the most deeply nested loops,
// and for chains that are too long for the CPU to begin what comes next. False if arithmetic may be
// reassociated.
bool waits_with_lanes(const llvm::Function& kernel, const LaneShapes& shapes,
                      const llvm::LoopInfo& loops, unsigned lanes, const TargetInfo& target);

} // namespace heddle::compiler
