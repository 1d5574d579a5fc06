// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the passes of one build share.
#pragma once

#include "compiler/ir/kernel.h"
#include "compiler/support/build.h"
#include "compiler/target/target_info.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Target/TargetMachine.h"

#include <utility>

namespace heddle::compiler {

// Lanes that leave vector code short enough to be worth its build.
struct LaneLimit {
  unsigned instructions = 0; // of the code that was too long
  unsigned most_lanes = 1;   // 1: it is to be scalar
};

// By the names of kernels and of functions that have vector forms.
using LaneLimits = llvm::StringMap<LaneLimit>;

// A pass that needs more than its module takes a reference to this in its constructor, as LLVM's
// passes take a TargetMachine. A pass that fails calls build.error(), and one that finds vector
// code too long adds to `excess`: the passes after it are skipped (pass_runner.h).
struct Compilation {
  Compilation(Build& build, llvm::TargetMachine& target)
      : build(build), target(target), target_info(target, costs_of(build)) {}

  static CpuCosts costs_of(const Build& build) {
    const auto cpu = parse_cpu(build.request.cpu != nullptr ? build.request.cpu : "");
    return cpu ? cpu->costs : CpuCosts();
  }

  Build& build;
  llvm::TargetMachine& target;
  const TargetInfo target_info;
  LaneLimits limits; // found by earlier attempts to vectorize (pass_pipeline.cpp)
  LaneLimits excess; // found by this one
  Kernels kernels;   // filled by FindKernelsPass

  bool is_over() const { return build.failed || !excess.empty(); }
  // For the next attempt. False: there is to be none. Each leaves fewer lanes to at least one
  // kernel or function.
  bool limit_lanes() {
    bool has_fewer = false;
    for (const auto& [name, limit] : std::exchange(excess, {})) {
      const auto [known, is_new] = limits.try_emplace(name, limit);
      has_fewer |= is_new || limit.most_lanes < known->second.most_lanes;
      known->second = limit;
    }
    return !build.failed && (has_fewer || build.error("vector code stays too long"));
  }
  bool optimizes() const { return build.options.optimize; }
  // Whether launches that take long get better units, for their local size.
  bool is_first() const { return optimizes() && build.request.specialization.is_first; }
  bool swaps_dimensions() const { return optimizes() && dimension() == LaneDimension::second; }
  bool chooses_dimension() const { return optimizes() && dimension() == LaneDimension::by_strides; }
  bool checks_division() const { return (build.request.checks & HEDDLE_CHECK_DIVISION) != 0; }
  bool checks_memory() const { return (build.request.checks & HEDDLE_CHECK_MEMORY) != 0; }
  bool checks_race() const { return (build.request.checks & HEDDLE_CHECK_RACE) != 0; }
  bool checks_divergence() const { return (build.request.checks & HEDDLE_CHECK_DIVERGENCE) != 0; }
  bool checks_uninitialized() const {
    return (build.request.checks & HEDDLE_CHECK_UNINITIALIZED) != 0;
  }
  bool checks_buffers() const { return (build.request.checks & HEDDLE_CHECK_BUFFERS) != 0; }
  // Whether the simplified kernel calls abi::Worker::check.
  bool calls_checks(const Kernel& kernel) const {
    return checks_division() || checks_memory() || checks_race() || checks_uninitialized() ||
           kernel.checks_divergence;
  }

  // The kernel whose body `function` is, or null.
  Kernel* find_kernel(const llvm::Function& function) {
    for (auto& kernel : kernels)
      if (kernel.body == &function)
        return &kernel;
    return nullptr;
  }

 private:
  LaneDimension dimension() const { return build.request.specialization.lane_dimension; }
};

} // namespace heddle::compiler
