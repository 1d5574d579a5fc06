// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Estimates what a kernel's instructions cost in scalar code and in vector code.
#pragma once

#include "compiler/target/target_info.h"
#include "compiler/vectorize/analysis/lane_shapes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"

namespace heddle::compiler {

using LoopSet = llvm::SmallPtrSet<const llvm::Loop*, 4>;

// Reciprocal throughput in cycles for a work-item.
struct Cost {
  double scalar = 0;
  double vector = 0;
};

class CostModel {
 public:
  // With `own_vectors`, vector types of the kernel are registers of the scalar code. `retries` are
  // loops that seldom repeat. Latencies are those of scalar code.
  CostModel(const LaneShapes& shapes, const llvm::LoopInfo& loops, unsigned width,
            unsigned register_bits, bool own_vectors = false, LoopSet retries = {})
      : shapes_(shapes), loops_(loops), width_(width), register_bits_(register_bits),
        own_vectors_(own_vectors), retries_(std::move(retries)) {}
  // With the target's latencies of vector code, and its throughput.
  CostModel(const LaneShapes& shapes, const llvm::LoopInfo& loops, unsigned width,
            const TargetInfo& target);

  Cost cost_of(const llvm::BasicBlock& block) const;
  // Of one iteration, including inner loops.
  Cost cost_of(const llvm::Loop& loop) const;
  double vector_cost(const llvm::Loop& loop) const;
  // Of code outside of loops, which waits for its own results if it is long.
  Cost cost_of_straight(const llvm::BasicBlock& block) const;
  // The cycles of an iteration, without inner loops, for what all lanes share.
  double shared_cost(const llvm::Loop& loop) const;

  // The part of the latency of the longest chain of dependences through the blocks, in reverse
  // post-order, each executed once, that the CPU cannot hide behind what comes next.
  double exposed_latency(llvm::ArrayRef<const llvm::BasicBlock*> blocks, double instructions) const;
  // Cycles for each iteration of an innermost loop.
  double loop_latency(const llvm::Loop& loop) const;

 private:
  struct CalledCode {
    double instructions = 0;
    double latency = 0; // of the longest chain
    double vector = 0;  // as in Cost
  };
  double scalar_cost(const llvm::Loop& loop) const;
  Cost cost_without_inner(const llvm::Loop& loop) const;
  double iterations_of(const llvm::Loop& inner) const;
  // Vector registers of a value, divided by the lanes.
  double registers(const llvm::Type* type) const;
  // Registers of a value in scalar code.
  double own_registers(const llvm::Type& type) const;
  Cost access_cost(const llvm::Instruction& access, const llvm::Value& address,
                   const llvm::Type* type, bool is_store) const;
  bool advances_at_run_time(const llvm::Value& address, const llvm::BasicBlock& block) const;
  CalledCode code_of(const llvm::Function& function) const;
  Cost cost_of(const llvm::Instruction& instruction) const;
  template <typename Blocks>
  double longest_chain(const Blocks& blocks) const;
  llvm::SmallVector<const llvm::Value*, 4> divergent_conditions(const llvm::PHINode& phi) const;
  double latency(const llvm::Instruction& instruction) const;

  const LaneShapes& shapes_;
  const llvm::LoopInfo& loops_;
  const unsigned width_;
  const unsigned register_bits_;
  const bool own_vectors_;
  const LoopSet retries_;
  bool is_vector_code_ = false; // whose latencies are asked for
  unsigned integer_latency_ = 1, vector_throughput_ = 1;
  mutable llvm::DenseMap<const llvm::Function*, CalledCode> called_;
};

// Whether lanes leave the loop in different iterations: it executes until the last one does.
bool has_divergent_exit(const llvm::Loop& loop, const LaneShapes& shapes);
// Factor for divergent loops, in which lanes are inactive after their own last iteration.
inline constexpr double kDivergentLoopFactor = 1.5;

} // namespace heddle::compiler
