// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/plan/choose_dimension.h"

#include "compiler/analysis/call_graph.h"
#include "compiler/ir/subgroup_intrinsics.h"
#include "compiler/ir/work_item_params.h"
#include "compiler/vectorize/analysis/lane_access.h"
#include "compiler/vectorize/analysis/steps.h"
#include "compiler/vectorize/plan/coalesce_work_groups.h"
#include "compiler/vectorize/plan/expected_executions.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace heddle::compiler {
namespace {

// Of an access by a sub-group whose lanes are apart by `step`: about how long the accesses to
// memory take, relative to one of a uniform address.
std::uint64_t access_cost(const Step& step, std::int64_t bytes) {
  constexpr std::uint64_t kUniform = 1, kConsecutive = 2, kShuffled = 6, kGathered = 32;
  if (step.kind != Step::Kind::constant)
    return kGathered;
  const auto distance = std::abs(step.size);
  return distance == 0                              ? kUniform
         : distance <= bytes                        ? kConsecutive
         : distance <= kMaxInterleaveFactor * bytes ? kShuffled
                                                    : kGathered;
}

bool shows_sub_groups(llvm::Function& kernel) {
  return llvm::any_of(reachable_functions(kernel), [](const llvm::Function* function) {
    return calls_subgroup_intrinsics(*function);
  });
}

// About how long the accesses take with lanes along the first and along the second dimension.
struct Costs {
  std::uint64_t first = 0, second = 0;
};

Costs estimate_costs(llvm::Function& body) {
  const auto params = work_item_params(body);
  const Steps first(body, *params.local_id[0]), second(body, *params.local_id[1]);
  const llvm::DominatorTree dominators(body);
  const llvm::LoopInfo loops(dominators);
  const auto& layout = body.getParent()->getDataLayout();
  Costs costs;
  for (const auto& block : body)
    for (const auto& instruction : block) {
      const auto* address = llvm::getLoadStorePointerOperand(&instruction);
      if (address == nullptr)
        continue;
      const auto* object = llvm::getUnderlyingObject(address);
      if (object == params.group || llvm::isa<llvm::AllocaInst>(object))
        continue;
      const auto frequency = expected_executions(loops, block);
      const auto* type = llvm::getLoadStoreType(&instruction);
      const auto bytes = static_cast<std::int64_t>(
          layout.getTypeStoreSize(const_cast<llvm::Type*>(type)).getFixedValue());
      costs.first += frequency * access_cost(first.of(*address), bytes);
      costs.second += frequency * access_cost(second.of(*address), bytes);
    }
  return costs;
}

bool uses_both_dimensions(llvm::Function& body) {
  const auto params = work_item_params(body);
  return !params.local_id[0]->use_empty() && !params.local_id[1]->use_empty();
}

} // namespace

bool prefers_second_dimension(const Kernel& kernel) {
  constexpr std::uint64_t kFewestSecondIds = 4;
  auto& body = *kernel.body;
  const auto& size = kernel.local_size;
  if (!uses_both_dimensions(body) || shows_sub_groups(body))
    return false;
  // Few lanes, unless neighboring groups run as one.
  if (size[0] != 0 && size[1] < kFewestSecondIds &&
      choose_group_coalescing(kernel, 1) != GroupCoalescing::all)
    return false;
  const auto costs = estimate_costs(body);
  // Not for a difference that other properties of the kernel outweigh.
  return costs.second * 3 < costs.first * 2;
}

bool clearly_prefers_first_dimension(const Kernel& kernel) {
  if (kernel.metadata.has_swapped_dimensions || !uses_both_dimensions(*kernel.body))
    return false;
  const auto costs = estimate_costs(*kernel.body);
  return costs.second > costs.first * 3;
}

} // namespace heddle::compiler
