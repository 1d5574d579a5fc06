// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/plan/widen_private_arrays.h"

#include "compiler/ir/subgroup_intrinsics.h"
#include "compiler/vectorize/analysis/analyses.h"
#include "compiler/vectorize/analysis/interleave_private_arrays.h"
#include "compiler/vectorize/plan/loop_cost_model.h"
#include "compiler/vectorize/plan/wide_sub_groups.h"
#include "compiler/vectorize/transform/canonicalize.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace heddle::compiler {
namespace {

// Of the arrays of a sub-group: a part of the first-level cache.
constexpr std::int64_t kMaxBytes = 16 * 1024;
// More than the first-level cache holds.
constexpr std::int64_t kBytesOfTables = 32 * 1024;

std::int64_t private_bytes(const llvm::Function& kernel) {
  std::int64_t bytes = 0;
  for (const auto& instruction : llvm::instructions(kernel))
    if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
      if (!variable->isStaticAlloca())
        return kMaxBytes;
      bytes += bytes_per_lane(*variable);
    }
  return bytes;
}

// Whether lanes access the same elements of arrays at a time, which are then next to each other.
bool has_vectors_of_elements(const llvm::Function& kernel, const LaneShapes& shapes) {
  return llvm::all_of(llvm::instructions(kernel), [&](const llvm::Instruction& instruction) {
    if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
      return interleaved_stride(*variable).has_value();
    const auto* address = llvm::getLoadStorePointerOperand(&instruction);
    return address == nullptr || !llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(address)) ||
           shapes.stride(*address).has_value();
  });
}

// The canonical form of a kernel at a width.
class CanonicalCopy {
 public:
  CanonicalCopy(const Kernel& kernel, unsigned width, llvm::FunctionAnalysisManager& analyses)
      : kernel_(kernel), manager_(analyses) {
    llvm::ValueToValueMapTy values;
    kernel_.body = llvm::CloneFunction(kernel.body, values);
    canonicalize(*kernel_.body, width, manager_);
  }
  ~CanonicalCopy() {
    manager_.clear(*kernel_.body, kernel_.body->getName());
    kernel_.body->eraseFromParent();
  }
  CanonicalCopy(const CanonicalCopy&) = delete;
  CanonicalCopy& operator=(const CanonicalCopy&) = delete;

  const Kernel& kernel() const { return kernel_; }

 private:
  Kernel kernel_;
  llvm::FunctionAnalysisManager& manager_;
};

} // namespace

bool is_faster_with_tables_of_one(const Kernel& kernel, const TargetInfo& target,
                                  llvm::FunctionAnalysisManager& analyses, unsigned width) {
  if (kernel.metadata.has_barrier || calls_subgroup_intrinsics(*kernel.body) ||
      private_bytes(*kernel.body) * width <= kBytesOfTables)
    return false;
  const CanonicalCopy copy(kernel, width, analyses);
  VectorPlan plan;
  plan.width = width;
  return is_faster_scalar(Analyses(*copy.kernel().body, plan), width, target.vector_bits);
}

void widen_private_arrays(const Kernel& kernel, const TargetInfo& target, bool is_first,
                          llvm::FunctionAnalysisManager& analyses, WidthChoice& choice) {
  const auto bytes = private_bytes(*kernel.body);
  for (const bool is_doubled : {false, true}) {
    if ((is_doubled && is_first) || bytes * choice.width * 2 > kMaxBytes)
      return;
    const CanonicalCopy copy(kernel, choice.width, analyses);
    VectorPlan plan;
    plan.width = choice.width;
    const Analyses canonical(*copy.kernel().body, plan);
    const auto widens = is_doubled ? should_widen_further : should_double_width;
    if (!has_vectors_of_elements(*copy.kernel().body, canonical.shapes) ||
        !widens(copy.kernel(), canonical, target, choice.width))
      return;
    choice.width *= 2;
    choice.reason += is_doubled ? kWaitsForResults : kHasRegisters;
  }
}

} // namespace heddle::compiler
