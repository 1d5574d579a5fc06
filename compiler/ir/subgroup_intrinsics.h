// The operations between the lanes of a sub-group that the builtin library is written in
// (builtins/lanes.h): functions without a body that the vectoriser, or for kernels that stay scalar
// lower_subgroup_intrinsics, gives a meaning.
#pragma once

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

#include <optional>

namespace heddle::compiler {

struct SubgroupIntrinsic {
  enum class Kind : std::uint8_t {
    id,      // number of the lane in the sub-group
    count,   // lanes of a full sub-group
    base,    // linear local id of lane 0
    leads,   // whether the group's first work-item is one of the lanes
    again,   // does all that the kernel does, in its masked form; nothing has been done yet
    rows,    // whether something that all lanes of a row agree on is true of all rows side by side
    barrier, // orders the memory accesses of the lanes before and after it; no value
    ballot,  // one bit for each active lane whose argument is true
    read,    // the value of a lane; its number is the same in all lanes
    first,   // what lane 0 has, active or not, of a value with a fixed step from lane to lane
    shuffle, // the value of a lane; each lane names its own
    reduce,  // of all active lanes
    scan,    // of the active lanes up to this one
    before,  // of the active lanes before this one; the identity in the first
    cluster, // of the active lanes of a cluster: so many (second argument) lanes in a row
  };
  // How the last four put two values together.
  enum class Combine : std::uint8_t { none, add, mul, min, max, bit_and, bit_or, bit_xor };
  Kind kind;
  Combine combine = Combine::none;
  bool is_unsigned = false;
};

// __heddle_lane_KIND, followed by _TYPE or _COMBINE_TYPE where the kind has values.
std::optional<SubgroupIntrinsic> subgroup_intrinsic(llvm::StringRef name);
bool is_subgroup_intrinsic(llvm::StringRef name);
// Of a call; nothing if it calls something else.
std::optional<SubgroupIntrinsic> subgroup_intrinsic(const llvm::CallBase& call);

// Whether it is a call of the kind `leads`.
bool is_leader_query(const llvm::Value& value);

// The same value in all lanes, whatever the arguments.
bool is_uniform(const SubgroupIntrinsic& function);

llvm::Value* combine(llvm::IRBuilder<>& builder, const SubgroupIntrinsic& how, llvm::Value* a,
                     llvm::Value* b);
// combine(identity, x) is x. For sums of floating-point numbers that is -0.0.
llvm::Constant* identity(const SubgroupIntrinsic& how, llvm::Type* type);

// Tells LLVM what the calls may not be moved across.
class AnnotateSubgroupIntrinsicsPass : public llvm::PassInfoMixin<AnnotateSubgroupIntrinsicsPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};
// Whether the function itself has calls of lane functions. `leads` is none of them: for each
// work-item of its own it says as much.
bool calls_subgroup_intrinsics(const llvm::Function& function);
// Replaces what is left by its meaning for a sub-group of one. Needs add_work_item_params.
class LowerSubgroupIntrinsicsPass : public llvm::PassInfoMixin<LowerSubgroupIntrinsicsPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace heddle::compiler
