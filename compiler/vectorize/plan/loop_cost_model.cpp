// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/plan/loop_cost_model.h"

#include "compiler/analysis/retry_loops.h"
#include "compiler/vectorize/analysis/register_pressure.h"
#include "compiler/vectorize/analysis/scalarized_access.h"
#include "compiler/vectorize/analysis/vector_value.h"
#include "compiler/vectorize/emit/vector_forms.h"
#include "compiler/vectorize/plan/recurrence.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

#include <cmath>
#include <limits>

namespace heddle::compiler {
namespace {

// Reciprocal throughput in cycles.
constexpr double kScalarInstruction = 0.25, kScalarLoad = 0.5, kScalarStore = 1,
                 kScalarDivision = 4, kScalarCall = 15, kMisprediction = 3;
// A scalar access of a loop in which each iteration is at another cache line, which the other
// work-items only use in iterations of their own.
constexpr double kCacheLine = 2;
constexpr double kLoadLatency = 5, kGatherLatency = 15;
constexpr double kGatheredElement = 2.5, kScatteredElement = 3; // for each element
constexpr double kVectorInstruction = 1;                        // for each register
// In a kernel that is vectorized by hand, for each register of a value.
constexpr double kOwnVectorInstruction = 0.5;
// One load or store of a lane's vector, and the transposition; for each register.
constexpr double kTransposedAccess = 4;
// Instructions that the CPU has in flight: longer chains are not hidden by the next work-item.
constexpr std::size_t kInFlight = 128;
// Factor for divergent loops, in which lanes are inactive after their own last iteration.
constexpr double kDivergentLoopFactor = 1.5;
// The kernel is vectorized unless its vector code is estimated to be slower by this factor.
constexpr double kMinSlowdown = 1.5;
// Latency of a loop's dependences: two sub-groups may take longer than it by this factor.
constexpr double kMaxWaitFactor = 1.75;
// Of the lanes that are chosen, by a loop's latency: CPUs start up to two instructions in a cycle,
// and the model's latencies are at the lower end. Less where lanes wait for those that iterate
// longest.
constexpr double kMostCyclesByLatency = 5, kMostCyclesOfDivergentLoop = 2;

using LoopSet = llvm::SmallPtrSet<const llvm::Loop*, 4>;

struct Cost {
  double scalar = 0;
  double vector = 0;
};

class CostModel {
 public:
  // With `own_vectors`, vector types of the kernel are registers of the scalar code. `retries` are
  // loops that seldom repeat.
  CostModel(const LaneShapes& shapes, const llvm::LoopInfo& loops, unsigned width,
            unsigned register_bits, bool own_vectors = false, LoopSet retries = {})
      : shapes_(shapes), loops_(loops), width_(width), register_bits_(register_bits),
        own_vectors_(own_vectors), retries_(std::move(retries)) {}
  // With the target's latencies of vector code.
  CostModel(const LaneShapes& shapes, const llvm::LoopInfo& loops, unsigned width,
            const TargetInfo& target)
      : CostModel(shapes, loops, width, target.vector_bits) {
    gather_latency_ = kGatherLatency;
    integer_latency_ = target.integer_latency;
    vector_throughput_ = target.vector_throughput;
  }

  Cost cost_of(const llvm::BasicBlock& block) const {
    Cost cost;
    for (const auto& instruction : block) {
      const auto each = cost_of(instruction);
      cost.scalar += each.scalar;
      cost.vector += each.vector;
    }
    return cost;
  }

  // Of one iteration, including inner loops.
  Cost cost_of(const llvm::Loop& loop) const {
    constexpr double kIterations = 8;
    Cost cost;
    for (const auto* block : loop.blocks())
      if (loops_.getLoopFor(block) == &loop) {
        const auto own = cost_of(*block);
        cost.scalar += own.scalar;
        cost.vector += own.vector;
      }
    for (const auto* inner : loop.getSubLoops()) {
      const auto own = cost_of(*inner);
      const auto iterations = retries_.contains(inner) ? 1 : kIterations;
      cost.scalar += iterations * own.scalar;
      cost.vector += iterations * own.vector *
                     (has_divergent_exit(*inner, shapes_) ? kDivergentLoopFactor : 1);
    }
    cost.scalar = std::max(cost.scalar, loop_latency(loop));
    return cost;
  }

  // The cycles of an iteration, without inner loops, for what all lanes share.
  double shared_cost(const llvm::Loop& loop) const {
    double cycles = 0;
    for (const auto* block : loop.blocks())
      if (loops_.getLoopFor(block) == &loop)
        for (const auto& instruction : *block)
          if (!instruction.isTerminator() && shapes_.is_uniform(instruction))
            cycles += width_ * cost_of(instruction).vector;
    return cycles;
  }

  // Of code outside of loops, which waits for its own results if it is long.
  Cost cost_of_straight(const llvm::BasicBlock& block) const {
    auto cost = cost_of(block);
    cost.scalar =
        std::max(cost.scalar, exposed_latency({&block}, static_cast<double>(block.size())));
    return cost;
  }

  // The latency of the longest chain of dependences through the blocks, in reverse post-order, of
  // which each is executed once.
  template <typename Blocks>
  double longest_chain(const Blocks& blocks) const {
    llvm::DenseMap<const llvm::Value*, double> ready;
    double longest = 0;
    for (const auto* block : blocks)
      for (const auto& instruction : *block) {
        double start = 0;
        for (const auto& operand : instruction.operands())
          start = std::max(start, ready.lookup(operand.get()));
        const auto end = start + latency(instruction);
        ready[&instruction] = end;
        longest = std::max(longest, end);
      }
    return longest;
  }

  // The part of it that the CPU cannot hide behind what comes next.
  double exposed_latency(llvm::ArrayRef<const llvm::BasicBlock*> blocks,
                         double instructions) const {
    const auto hidden = std::min(1.0, static_cast<double>(kInFlight) / instructions);
    return hidden == 1 ? 0 : longest_chain(blocks) * (1 - hidden);
  }

  // Cycles for each iteration of an innermost loop.
  double loop_latency(const llvm::Loop& loop) const {
    return recurrence_latency(
        loop, [this](const llvm::Instruction& instruction) { return latency(instruction); },
        [this](const llvm::PHINode& phi) { return divergent_conditions(phi); });
  }

 private:
  // Vector registers of a value, divided by the lanes.
  double registers(const llvm::Type* type) const {
    const auto bits = type->isPointerTy() ? 64U : std::max(8U, type->getScalarSizeInBits());
    return component_count(const_cast<llvm::Type*>(type)) *
           std::ceil(static_cast<double>(width_) * bits / register_bits_) / width_;
  }

  // Registers of a value in scalar code.
  double own_registers(const llvm::Type& type) const {
    const auto bits = static_cast<double>(type.getPrimitiveSizeInBits().getFixedValue());
    return std::max(1.0, std::ceil(bits / register_bits_));
  }

  // Moves components between vectors, which is nothing where each has registers of its own.
  static bool is_movement(const llvm::Instruction& instruction) {
    return llvm::isa<llvm::ShuffleVectorInst, llvm::InsertElementInst, llvm::ExtractElementInst>(
        instruction);
  }

  Cost access_cost(const llvm::Instruction& access, const llvm::Value& address,
                   const llvm::Type* type, bool is_store) const {
    Cost cost;
    cost.scalar = is_store ? kScalarStore : kScalarLoad;
    if (shapes_.is_uniform(address) && !is_store)
      return {cost.scalar, cost.scalar / width_};
    const auto components = component_count(const_cast<llvm::Type*>(type));
    const bool is_affine = shapes_.stride(address) || shapes_.likely_stride(address);
    if (is_affine && advances_at_run_time(address, *access.getParent()))
      cost.scalar += kCacheLine;
    // Vectors are loaded one for each lane and transposed.
    if (own_vectors_ && components > 1)
      cost = {cost.scalar * own_registers(*type), kTransposedAccess * registers(type)};
    else if ((is_affine || components > 1) && !is_scalarized_access(access, shapes_))
      cost.vector = 2 * kVectorInstruction * registers(type);
    else
      cost.vector = is_store ? kScatteredElement : kGatheredElement;
    return cost;
  }

  // A function that is called with vectors, once for all lanes.
  static const llvm::Function* called_form(const llvm::Instruction& instruction) {
    const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    const auto* callee = call != nullptr ? call->getCalledFunction() : nullptr;
    return callee != nullptr && !callee->isDeclaration() && has_vector_form(*callee) ? callee
                                                                                     : nullptr;
  }

  // Whether the address is computed from a value of the innermost loop that becomes larger by a
  // number known at run time, such as that of the work-items of the launch.
  bool advances_at_run_time(const llvm::Value& address, const llvm::BasicBlock& block) const {
    constexpr unsigned kMaxDepth = 8;
    const auto* loop = loops_.getLoopFor(&block);
    return loop != nullptr && loop->getLoopLatch() != nullptr &&
           advances_at_run_time(address, *loop, kMaxDepth);
  }
  static bool advances_at_run_time(const llvm::Value& value, const llvm::Loop& loop,
                                   unsigned depth) {
    using namespace llvm::PatternMatch;
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    if (instruction == nullptr || !loop.contains(instruction) || depth == 0)
      return false;
    if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(instruction)) {
      llvm::Value* step = nullptr;
      return phi->getParent() == loop.getHeader() &&
             match(phi->getIncomingValueForBlock(loop.getLoopLatch()),
                   m_c_Add(m_Specific(phi), m_Value(step))) &&
             !llvm::isa<llvm::Constant>(step) && loop.isLoopInvariant(step);
    }
    return !instruction->mayReadFromMemory() &&
           llvm::any_of(instruction->operands(), [&](const llvm::Use& operand) {
             return advances_at_run_time(*operand, loop, depth - 1);
           });
  }

  struct CalledCode {
    double instructions = 0;
    double latency = 0; // of the longest chain
  };
  CalledCode code_of(const llvm::Function& function) const {
    if (const auto found = called_.find(&function); found != called_.end())
      return found->second;
    const llvm::ReversePostOrderTraversal<const llvm::Function*> order(&function);
    CalledCode code;
    code.latency = longest_chain(order);
    for (const auto& instruction : llvm::instructions(function))
      code.instructions += is_free(instruction) ? 0 : 1;
    return called_[&function] = code;
  }

  // Usually folded into another instruction.
  static bool is_free(const llvm::Instruction& instruction) {
    return llvm::isa<llvm::PHINode, llvm::GetElementPtrInst, llvm::CastInst,
                     llvm::DbgInfoIntrinsic>(instruction) ||
           instruction.getOpcode() == llvm::Instruction::FNeg ||
           (instruction.getType()->isIntegerTy(1) && !llvm::isa<llvm::CmpInst>(instruction));
  }

  Cost cost_of(const llvm::Instruction& instruction) const {
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
      return access_cost(instruction, *load->getPointerOperand(), load->getType(), false);
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      return access_cost(instruction, *store->getPointerOperand(),
                         store->getValueOperand()->getType(), true);
    if (is_free(instruction))
      return {};
    if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(&instruction)) {
      const bool is_divergent =
          branch->isConditional() && shapes_.has_divergent_branch(*branch->getParent());
      const auto* loop = loops_.getLoopFor(branch->getParent());
      const bool leaves = loop != nullptr && loop->isLoopExiting(branch->getParent());
      return {kScalarInstruction + (is_divergent && !leaves ? kMisprediction : 0),
              kScalarInstruction / width_};
    }
    Cost cost;
    const auto components = component_count(instruction.getType());
    const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    if (const auto* form = called_form(instruction))
      cost.scalar = kScalarInstruction * code_of(*form).instructions;
    else if (llvm::isa<llvm::CallBase>(instruction) && intrinsic == nullptr)
      cost.scalar = kScalarCall;
    else if (instruction.isIntDivRem() || instruction.getOpcode() == llvm::Instruction::FDiv)
      cost.scalar = kScalarDivision * components;
    else
      cost.scalar = kScalarInstruction * components;
    if (own_vectors_ && instruction.getType()->isVectorTy() && components > 1) {
      cost.scalar *= kOwnVectorInstruction / kScalarInstruction *
                     own_registers(*instruction.getType()) / components;
      cost.vector =
          is_movement(instruction) ? 0 : kVectorInstruction * registers(instruction.getType());
      return cost;
    }
    if (shapes_.is_uniform(instruction) || shapes_.stride(instruction))
      cost.vector = cost.scalar / width_;
    else
      cost.vector = cost.scalar / kScalarInstruction * kVectorInstruction *
                    registers(instruction.getType()) / components /
                    (instruction.getType()->isIntOrIntVectorTy() ? vector_throughput_ : 1);
    return cost;
  }

  // The conditions by which a phi of divergent control flow selects its values.
  llvm::SmallVector<const llvm::Value*, 4> divergent_conditions(const llvm::PHINode& phi) const {
    llvm::SmallVector<const llvm::Value*, 4> conditions;
    if (loops_.isLoopHeader(phi.getParent()))
      return conditions;
    for (const auto* block : phi.blocks()) {
      if (shapes_.has_divergent_branch(*block))
        conditions.push_back(block->getTerminator()->getOperand(0));
      else if (const auto* before = block->getSinglePredecessor();
               before != nullptr && shapes_.has_divergent_branch(*before))
        conditions.push_back(before->getTerminator()->getOperand(0));
    }
    return conditions;
  }

  double latency(const llvm::Instruction& instruction) const {
    // A select for each value but the first.
    if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction);
        phi != nullptr && !divergent_conditions(*phi).empty())
      return integer_latency_ * (phi->getNumIncomingValues() - 1);
    if (is_free(instruction))
      return 0;
    if (const auto* form = called_form(instruction))
      return code_of(*form).latency;
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
      const auto& address = *load->getPointerOperand();
      const bool gathers = !shapes_.stride(address) && !shapes_.likely_stride(address);
      return gathers ? gather_latency_ : kLoadLatency;
    }
    if (instruction.isIntDivRem() || instruction.getOpcode() == llvm::Instruction::FDiv)
      return 12;
    if (llvm::isa<llvm::CallBase>(instruction) && !llvm::isa<llvm::IntrinsicInst>(instruction))
      return 30;
    const bool multiplies = instruction.getOpcode() == llvm::Instruction::Mul;
    return instruction.getType()->isFPOrFPVectorTy() || multiplies ? 4 : integer_latency_;
  }

  const LaneShapes& shapes_;
  const llvm::LoopInfo& loops_;
  const unsigned width_;
  const unsigned register_bits_;
  const bool own_vectors_;
  const LoopSet retries_;
  double gather_latency_ = kLoadLatency;
  unsigned integer_latency_ = 1, vector_throughput_ = 1;
  mutable llvm::DenseMap<const llvm::Function*, CalledCode> called_;
};

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

bool has_divergent_exit(const llvm::Loop& loop, const LaneShapes& shapes) {
  llvm::SmallVector<llvm::BasicBlock*, 4> exiting;
  loop.getExitingBlocks(exiting);
  return llvm::any_of(exiting, [&](auto* block) { return shapes.has_divergent_branch(*block); });
}

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
        const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
        return store != nullptr && !shapes.stride(*store->getPointerOperand()) &&
               !shapes.likely_stride(*store->getPointerOperand());
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
    const auto cycles = width * model.cost_of(*loop).vector;
    const auto instructions = width * counts.cost_of(*loop).vector;
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
      all += width * model.cost_of(*loop).vector;
    }
  return shared * 2 > all;
}

double vector_instructions(const llvm::Loop& loop, const LaneShapes& shapes,
                           const llvm::LoopInfo& loops, unsigned lanes, const TargetInfo& target) {
  return lanes * CostModel(shapes, loops, lanes, target.vector_bits).cost_of(loop).vector;
}

bool waits_with_lanes(const llvm::Function& kernel, const LaneShapes& shapes,
                      const llvm::LoopInfo& loops, unsigned lanes, const TargetInfo& target) {
  const bool diverges = llvm::any_of(
      const_cast<llvm::LoopInfo&>(loops).getLoopsInPreorder(), [&](const llvm::Loop* loop) {
        return loop->isInnermost() && has_divergent_exit(*loop, shapes);
      });
  return cycles_by_latency(kernel, shapes, loops, lanes, target) <=
         (diverges ? kMostCyclesOfDivergentLoop * target.vector_throughput : kMostCyclesByLatency);
}

bool waits_for_results(const LaneShapes& shapes, const llvm::LoopInfo& loops, unsigned width,
                       const TargetInfo& target) {
  const CostModel model(shapes, loops, width, target);
  unsigned depth = 0;
  bool waits = false;
  for (const auto* loop : const_cast<llvm::LoopInfo&>(loops).getLoopsInPreorder())
    if (loop->isInnermost() && loop->getLoopDepth() >= depth) {
      waits = (waits || loop->getLoopDepth() > depth) &&
              2 * width * model.cost_of(*loop).vector <= kMaxWaitFactor * model.loop_latency(*loop);
      depth = loop->getLoopDepth();
    }
  return waits;
}

} // namespace heddle::compiler
