// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/emit/code_limits.h"

#include "compiler/vectorize/analysis/vector_value.h"
#include "compiler/vectorize/analysis/vectorization_plan.h"
#include "compiler/vectorize/emit/shared_lane_stores.h"
#include "llvm/IR/InstIterator.h"

namespace heddle::compiler {
namespace {

// Of any code. 116,000 instructions take 74 s to build.
constexpr std::uint64_t kMost = 60'000;
// Of code that is long because it is executed lane by lane: registers hold few of the lanes'
// values, and each doubling of the lanes takes three times as long to build. Launches take 0.3 to
// 0.8 of the time with scalar code: the six timed (solvers of NPB's BT and SP) of the 18 of 366
// foreign kernels that have more. Not with barriers: on fibers each work-item alone has a stack to
// switch to.
constexpr std::uint64_t kMaxByLane = 4'000, kMaxByLaneWithBarriers = 20'000;
// Of the forms of functions: in the first unit, for which launches wait, and later.
constexpr std::uint64_t kMaxOfFormAtFirst = 4'000, kMaxOfForm = 20'000;
// Of all forms of a program's functions together, and in the first unit.
constexpr std::uint64_t kMaxInForms = 30'000, kMaxInFormsAtFirst = 15'000;

std::uint64_t count_components(const llvm::Function& body) {
  std::uint64_t count = 0;
  for (const auto& instruction : llvm::instructions(body))
    count += component_count(instruction.getType());
  return count;
}

// Whether much of the code is executed lane by lane, as accesses of structures in private memory
// and calls of functions are: it has more instructions than the body and its masks, by a quarter of
// what scalar code would have for all lanes.
bool is_by_lane(std::uint64_t size, const llvm::Function& body, unsigned lanes) {
  const auto of_body = count_components(body);
  return size > of_body + of_body / 2 + of_body * lanes / 4;
}

} // namespace

std::optional<LaneLimit> find_excess(const Kernel& kernel, const VectorPlan& plan,
                                     const llvm::Function& variant) {
  const auto& width = kernel.plan->width;
  if ((width.is_requested && width.is_fixed) || kernel.metadata.shows_sub_groups)
    return std::nullopt;
  auto most = kernel.metadata.has_barrier ? kMaxByLaneWithBarriers : kMaxByLane;
  const auto size = variant.getInstructionCount();
  // What calls share is executed at each of them.
  const auto executed = size + instructions_of_lane_stores(variant);
  if (size <= most || !is_by_lane(executed, *kernel.body, plan.width * plan.rows))
    most = kMost;
  if (size <= most)
    return std::nullopt;
  // Where the compiler chose the lanes, scalar code is as good as fewer of them.
  LaneLimit found{size, 1};
  if (width.is_requested)
    for (found.most_lanes = width.width / 2;
         found.most_lanes > 1 && std::uint64_t{size} * found.most_lanes / width.width > most;)
      found.most_lanes /= 2;
  return found;
}

std::optional<LaneLimit> find_excess_of_form(const llvm::Function& form, const llvm::Function& body,
                                             unsigned lanes, bool is_first) {
  const auto size = form.getInstructionCount();
  const auto most =
      is_by_lane(size, body, lanes) ? is_first ? kMaxOfFormAtFirst : kMaxOfForm : kMost;
  return size > most ? std::optional(LaneLimit{size, 1}) : std::nullopt;
}

bool are_too_many_forms(std::uint64_t instructions, bool is_first) {
  return instructions > (is_first ? kMaxInFormsAtFirst : kMaxInForms);
}

} // namespace heddle::compiler
