// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operations between the lanes of a sub-group that the builtin library uses (builtins/lanes.h):
// functions without bodies that the vectorizer expands, or LowerSubgroupIntrinsicsPass in kernels
// that stay scalar.
#pragma once

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

#include <optional>

namespace heddle::compiler {

struct SubgroupIntrinsic {
  enum class Kind : std::uint8_t {
    id,        // number of the lane in the sub-group
    count,     // lanes of a full sub-group
    base,      // linear local id of lane 0
    is_leader, // whether the group's first work-item is one of the lanes
    restart,   // calls the tail variant for the whole kernel; nothing before it has a side effect
    all_rows,  // whether a condition that is uniform in each row holds for all rows side by side
    barrier,   // orders the memory accesses of the lanes before and after it; no result
    ballot,    // a bit for each active lane whose argument is true
    read,      // the value of a lane whose number is uniform
    first,     // the value of lane 0, active or not, of an affine value
    shuffle,   // the value of a lane that each lane chooses
    reduce,    // over all active lanes
    scan,      // inclusive scan over the active lanes
    exclusive_scan, // the same; the identity in the first lane
    cluster,        // reduction over the active lanes of a cluster of (second argument) lanes
  };
  // The operation of the last four kinds.
  enum class Combine : std::uint8_t { none, add, mul, min, max, bit_and, bit_or, bit_xor };
  Kind kind;
  Combine combine = Combine::none;
  bool is_unsigned = false;
};

// Parses __heddle_sub_group_KIND, followed by _TYPE or _COMBINE_TYPE for kinds with values.
std::optional<SubgroupIntrinsic> subgroup_intrinsic(llvm::StringRef name);
bool is_subgroup_intrinsic(llvm::StringRef name);
// Of the callee; nothing if the call is of another function.
std::optional<SubgroupIntrinsic> subgroup_intrinsic(const llvm::CallBase& call);

// Whether the value is a call of kind is_leader.
bool is_leader_query(const llvm::Value& value);

// Whether the result is uniform for any arguments.
bool is_uniform(const SubgroupIntrinsic& function);

llvm::Value* combine(llvm::IRBuilder<>& builder, const SubgroupIntrinsic& how, llvm::Value* a,
                     llvm::Value* b);
// combine(identity, x) is x. For sums of floating-point values it is -0.0.
llvm::Constant* identity(const SubgroupIntrinsic& how, llvm::Type* type);

// Marks the declarations as convergent and with their memory effects.
class AnnotateSubgroupIntrinsicsPass : public llvm::PassInfoMixin<AnnotateSubgroupIntrinsicsPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};
// Whether the function itself calls these operations. Calls of kind is_leader do not count: they
// have a meaning for a single work-item.
bool calls_subgroup_intrinsics(const llvm::Function& function);
// Replaces the remaining calls by their results for a sub-group of one work-item. Runs after
// AddWorkItemParamsPass.
class LowerSubgroupIntrinsicsPass : public llvm::PassInfoMixin<LowerSubgroupIntrinsicsPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace heddle::compiler
