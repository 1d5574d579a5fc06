// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/plan/loop_cost_model.h"

#include "compiler/analysis/retry_loops.h"
#include "compiler/vectorize/analysis/lane_access.h"
#include "compiler/vectorize/analysis/register_pressure.h"
#include "compiler/vectorize/plan/cost_model.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

#include <limits>

namespace heddle::compiler {
namespace {

// The kernel is vectorized unless its vector code is estimated to be slower by this factor.
constexpr double kMinSlowdown = 1.5;
// Latency of a loop's dependences: two sub-groups may take longer than it by this factor.
constexpr double kMaxWaitFactor = 1.75;
// Of the lanes that are chosen, by a loop's latency: CPUs start up to two instructions in a cycle,
// and the model's latencies are at the lower end. Less where lanes wait for those that iterate
// longest.
constexpr double kMaxCyclesByLatency = 5, kMaxCyclesOfDivergentLoop = 2;

LoopSet find_retries(const Analyses& analyses) {
  LoopSet found;
  for (const auto* loop : const_cast<llvm::LoopInfo&>(analyses.loops).getLoopsInPreorder())
    if (reads_back_what_it_stores(
            *loop, analyses.dominators,
            [](const auto& first, const auto& second) { return &first == &second; }))
      found.insert(loop);
  return found;
}

} // namespace

bool is_faster_scalar(const Analyses& analyses, unsigned width, unsigned register_bits) {
  const auto& shapes = analyses.shapes;
  Cost cost;
  const CostModel model(shapes, analyses.loops, width, register_bits, false,
                        find_retries(analyses));
  for (const auto* loop : analyses.loops) {
    const auto own = model.cost_of(*loop);
    cost.scalar += own.scalar;
    cost.vector += own.vector * (has_divergent_exit(*loop, shapes) ? kDivergentLoopFactor : 1);
  }
  return cost.vector > kMinSlowdown * cost.scalar;
}

bool accesses_memory_in_loops(const llvm::Function& kernel, const llvm::LoopInfo& loops) {
  return llvm::any_of(llvm::instructions(kernel), [&](const llvm::Instruction& instruction) {
    return instruction.mayReadOrWriteMemory() && loops.getLoopFor(instruction.getParent());
  });
}

bool scatters_in_loops(const Analyses& analyses) {
  const auto& shapes = analyses.shapes;
  return llvm::any_of(analyses.loops, [&](const llvm::Loop* loop) {
    return llvm::any_of(loop->blocks(), [&](const llvm::BasicBlock* block) {
      return llvm::any_of(*block, [&](const llvm::Instruction& instruction) {
        return llvm::isa<llvm::StoreInst>(instruction) &&
               !lane_access(instruction, shapes).has_stride();
      });
    });
  });
}

bool is_faster_with_own_vectors(const llvm::Function& kernel, const LaneShapes& shapes,
                                const llvm::LoopInfo& loops, unsigned width, unsigned register_bits,
                                unsigned registers) {
  constexpr double kMinGain = 1.25;
  Cost cost;
  const CostModel model(shapes, loops, width, register_bits, true);
  for (const auto* loop : loops) {
    const auto own = model.cost_of(*loop);
    cost.scalar += own.scalar;
    cost.vector += own.vector * (has_divergent_exit(*loop, shapes) ? kDivergentLoopFactor : 1);
  }
  if (loops.empty())
    for (const auto& block : kernel) {
      const auto own = model.cost_of_straight(block);
      cost.scalar += own.scalar;
      cost.vector += own.vector;
    }
  const auto pressure = estimate_register_pressure(kernel, shapes, width, 1, register_bits);
  const auto spills = std::max(1.0, static_cast<double>(pressure) / registers);
  return cost.vector * spills * kMinGain > cost.scalar;
}

// The cycles that the vector code of the most deeply nested loops takes to be issued (an
// instruction on floats a cycle), divided by those for which it waits for its own results:
// loop-carried dependences, and chains within iterations that are too long for the CPU to begin the
// next one. Of the whole kernel if it has no loops. Infinite if nothing waits, or if arithmetic may
// be reassociated.
static double cycles_by_latency(const llvm::Function& kernel, const LaneShapes& shapes,
                                const llvm::LoopInfo& loops, unsigned width,
                                const TargetInfo& target) {
  const CostModel model(shapes, loops, width, target);
  const CostModel counts(shapes, loops, width, target.vector_bits); // instructions, not cycles
  constexpr auto kNothingWaits = std::numeric_limits<double>::infinity();
  if (llvm::any_of(llvm::instructions(kernel), [](const llvm::Instruction& instruction) {
        return llvm::isa<llvm::FPMathOperator>(instruction) && instruction.hasAllowReassoc();
      }))
    return kNothingWaits;
  const auto ratio = [](double cycles, double latency) {
    return latency == 0 ? kNothingWaits : cycles / latency;
  };
  if (loops.empty()) {
    const llvm::ReversePostOrderTraversal<const llvm::Function*> order(&kernel);
    const llvm::SmallVector<const llvm::BasicBlock*, 16> blocks(order.begin(), order.end());
    double cycles = 0, instructions = 0;
    for (const auto* block : blocks) {
      cycles += width * model.cost_of(*block).vector;
      instructions += width * counts.cost_of(*block).vector;
    }
    return ratio(cycles, model.exposed_latency(blocks, instructions));
  }
  unsigned depth = 0;
  double most = 0; // of the deepest loops
  for (const auto* loop : const_cast<llvm::LoopInfo&>(loops).getLoopsInPreorder()) {
    if (!loop->isInnermost() || loop->getLoopDepth() < depth)
      continue;
    const auto cycles = width * model.vector_cost(*loop);
    const auto instructions = width * counts.vector_cost(*loop);
    const auto latency =
        std::max(model.loop_latency(*loop), model.exposed_latency(loop->getBlocks(), instructions));
    most = std::max(loop->getLoopDepth() > depth ? 0 : most, ratio(cycles, latency));
    depth = loop->getLoopDepth();
  }
  return most;
}

bool shares_most_work(const LaneShapes& shapes, const llvm::LoopInfo& loops, unsigned width,
                      const TargetInfo& target) {
  const CostModel model(shapes, loops, width, target);
  double shared = 0, all = 0;
  for (const auto* loop : const_cast<llvm::LoopInfo&>(loops).getLoopsInPreorder())
    if (loop->isInnermost()) {
      shared += model.shared_cost(*loop);
      all += width * model.vector_cost(*loop);
    }
  return shared * 2 > all;
}

double vector_instructions(const llvm::Loop& loop, const LaneShapes& shapes,
                           const llvm::LoopInfo& loops, unsigned lanes, const TargetInfo& target) {
  return lanes * CostModel(shapes, loops, lanes, target.vector_bits).vector_cost(loop);
}

bool waits_with_lanes(const llvm::Function& kernel, const LaneShapes& shapes,
                      const llvm::LoopInfo& loops, unsigned lanes, const TargetInfo& target) {
  const bool diverges = llvm::any_of(
      const_cast<llvm::LoopInfo&>(loops).getLoopsInPreorder(), [&](const llvm::Loop* loop) {
        return loop->isInnermost() && has_divergent_exit(*loop, shapes);
      });
  return cycles_by_latency(kernel, shapes, loops, lanes, target) <=
         (diverges ? kMaxCyclesOfDivergentLoop * target.vector_throughput : kMaxCyclesByLatency);
}

bool waits_for_results(const LaneShapes& shapes, const llvm::LoopInfo& loops, unsigned width,
                       const TargetInfo& target) {
  const CostModel model(shapes, loops, width, target);
  unsigned depth = 0;
  bool waits = false;
  for (const auto* loop : const_cast<llvm::LoopInfo&>(loops).getLoopsInPreorder())
    if (loop->isInnermost() && loop->getLoopDepth() >= depth) {
      waits = (waits || loop->getLoopDepth() > depth) &&
              2 * width * model.vector_cost(*loop) <= kMaxWaitFactor * model.loop_latency(*loop);
      depth = loop->getLoopDepth();
    }
  return waits;
}

} // namespace heddle::compiler
