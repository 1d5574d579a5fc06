// What the iterations of a kernel's loops cost, in scalar and in vector form: estimates.
#pragma once

#include "compiler/vectorize/analysis/lane_shapes.h"

namespace llvm {
class Loop;
class LoopInfo;
} // namespace llvm

namespace heddle::compiler {

// Whether lanes leave the loop at different times: all take part in it until the last one does.
bool has_divergent_exit(const llvm::Loop& loop, const LaneShapes& shapes);

// Gathers take several cycles an element, plain loads half a one: where little is computed with
// what is gathered, the vector form of a loop is slower than the scalar one. The kernel is prepared
// (prepare.h) and has no barriers; kernels without loops are never better in scalar form.
bool is_faster_scalar(const llvm::Function& kernel, const LaneShapes& shapes,
                      const llvm::LoopInfo& loops, unsigned width, unsigned register_bits);

// Whether the innermost loops' vector form waits for results of the iteration before, for so long
// that a second sub-group could be computed meanwhile.
bool waits_for_results(const LaneShapes& shapes, const llvm::LoopInfo& loops, unsigned width,
                       unsigned register_bits);

} // namespace heddle::compiler
