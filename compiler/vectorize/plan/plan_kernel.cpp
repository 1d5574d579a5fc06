// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/plan/plan_kernel.h"

#include "compiler/analysis/call_graph.h"
#include "compiler/ir/address_space.h"
#include "compiler/ir/subgroup_intrinsics.h"
#include "compiler/ir/unchecked_kernel.h"
#include "compiler/local_memory/promote_local_memory.h"
#include "compiler/lower/lower_barriers.h"
#include "compiler/optimize/size_limits.h"
#include "compiler/support/source_place.h"
#include "compiler/vectorize/analysis/analyses.h"
#include "compiler/vectorize/analysis/column_reuse.h"
#include "compiler/vectorize/analysis/interleave_private_arrays.h"
#include "compiler/vectorize/analysis/vectorization_plan.h"
#include "compiler/vectorize/plan/choose_dimension.h"
#include "compiler/vectorize/plan/choose_lane_mapping.h"
#include "compiler/vectorize/plan/choose_row_interleave.h"
#include "compiler/vectorize/plan/coalesce_work_groups.h"
#include "compiler/vectorize/plan/lane_walks.h"
#include "compiler/vectorize/plan/loop_cost_model.h"
#include "compiler/vectorize/plan/wide_sub_groups.h"
#include "compiler/vectorize/plan/widen_private_arrays.h"
#include "compiler/vectorize/transform/find_guards.h"
#include "compiler/workgroup/divide_regions.h"
#include "compiler/workgroup/form_barrier_regions.h"
#include "llvm/IR/InstIterator.h"

namespace heddle::compiler {
namespace {

// Limit of the instructions of all barrier regions, each of which starts as a clone of the kernel.
constexpr std::size_t kMaxInstructionsSplit = 1'000'000;

// Lanes of kernels whose work-items walk through rows of their own.
constexpr unsigned kOwnRowLanes = 8;

// Where copies of an update are slow: the lanes of those that an iteration of a loop over the lanes
// updates, without using the result, as in a histogram. Many copies are slow, and so are those
// whose addresses come from registers instead of memory; several channels of an image are many
// already. Zero: no loops, since other memory is updated at the speed of locked instructions.
unsigned updates_per_iteration(const llvm::Function& kernel) {
  const auto updates =
      llvm::count_if(llvm::instructions(kernel), [](const llvm::Instruction& instruction) {
        const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction);
        return update != nullptr && update->use_empty() &&
               update->getPointerAddressSpace() == kLocal;
      });
  return updates == 0 ? 0 : updates == 1 ? 16 : 2;
}

std::size_t count_barriers(const llvm::Function& function) {
  return static_cast<std::size_t>(
      llvm::count_if(llvm::instructions(function),
                     [](const llvm::Instruction& instruction) { return is_barrier(instruction); }));
}

// Whether the kernel calls functions that have barriers or sub-group operations. Calls are
// scalarized: each lane would wait at the barrier alone, and be the only lane of the operation.
bool calls_barriers_or_subgroup_operations(llvm::Function& kernel) {
  for (const auto* function : reachable_functions(kernel))
    if (function != &kernel) {
      if (calls_subgroup_intrinsics(*function))
        return true;
      if (count_barriers(*function) != 0 ||
          llvm::any_of(llvm::instructions(*function), [](auto& one) { return is_yield(one); }))
        return true;
    }
  return false;
}

WidthChoice initial_width(const Kernel& description, const Compilation& compilation) {
  const auto& build = compilation.build;
  auto& kernel = *description.body;
  if (!build.options.optimize)
    return {1, "-cl-opt-disable requests unoptimized code", false, true};
  if (description.checks_divergence)
    return {1, "HEDDLE_CHECK tells its work-items apart", false, true};
  if (kernel.getInstructionCount() > kMaxInstructionsOptimized)
    return {1, "it is too large to be optimized", false, true};
  if (calls_barriers_or_subgroup_operations(kernel))
    return {1,
            "a function that it calls, and that could not be inlined, has a barrier or works on "
            "the sub-group's lanes",
            false, true};
  // A kernel without the checks has the lanes that those with checks must not have.
  auto requested = is_unchecked_kernel(description) ? 0 : build.request.specialization.lanes;
  std::string why_fewer;
  if (const auto limit = compilation.limits.find(description.metadata.name);
      limit != compilation.limits.end()) {
    why_fewer = too_long_to_compile(limit->second.instructions, "instructions", requested);
    requested = limit->second.most_lanes;
    if (requested == 1) // a better unit may take longer to build
      return {1, why_fewer, false, !build.request.specialization.is_first};
  }
  auto choice = choose_width(kernel, compilation.target_info, requested);
  if (!why_fewer.empty())
    choice.reason = why_fewer;
  fit_width_to_group(description, choice);
  return choice;
}

// Doubles the width, and again, while that is estimated to be faster: `analyses` are those at the
// width. With `is_first` once at most.
void widen(const Kernel& description, const Analyses& analyses, const TargetInfo& target,
           bool is_first, WidthChoice& choice) {
  auto& kernel = *description.body;
  if (!should_double_width(description, analyses, target, choice.width))
    return;
  choice.width *= 2;
  choice.is_doubled = true;
  if (is_first)
    return;
  VectorPlan plan;
  // Straight code becomes too long.
  const unsigned most = analyses.loops.empty() ? choice.width * 2 : kMaxWidth;
  for (plan.width = choice.width;
       choice.width < most &&
       should_widen_further(description, Analyses(kernel, plan), target, choice.width);
       plan.width = choice.width) {
    if (choice.is_doubled)
      choice.reason += kWaitsForResults;
    choice.width *= 2;
    choice.is_doubled = false;
  }
}

// Whether scalar code is faster because its loops run along rows of the work-item's own: it uses
// each cache line whole, and LLVM fills registers with consecutive iterations, or with the
// components of one. Lanes have a line each instead, which they access one by one. Measured on AVX2
// (NPB's BT, LU, MG and SP): 0.3 to 0.9 of the time. Registers hold as many components as lanes of
// less than kOwnRowLanes; eight lanes gain by arithmetic what they lose.
bool is_faster_along_rows(const LaneWalks& walks, unsigned width) {
  return walks.are_along_rows && walks.are_independent && !walks.loops.empty() &&
         (walks.are_consecutive || width < kOwnRowLanes);
}

// The same before the width is final, for kernels whose private arrays are laid out for it.
bool is_faster_along_rows(const Kernel& description, unsigned width) {
  auto& kernel = *description.body;
  if (description.metadata.has_barrier || calls_subgroup_intrinsics(kernel))
    return false;
  const llvm::DominatorTree dominators(kernel);
  const llvm::LoopInfo loops(dominators);
  return is_faster_along_rows(find_lane_walks(kernel, loops), width);
}

constexpr const char* kAlongRows =
    "its loops run along rows of each work-item's own, which scalar code does faster";

// What the lanes of a kernel are corrected by, once they are chosen.
struct WidthFacts {
  WidthFacts(Kernel& description, const TargetInfo& target, const VectorPlan& plan)
      : description(description), target(target), analyses(*description.body, plan),
        walks(find_lane_walks(*description.body, analyses.loops)),
        calls_sub_groups(calls_subgroup_intrinsics(*description.body)),
        has_lanes_apart(!description.metadata.has_barrier && !calls_sub_groups) {}

  const Kernel& description;
  const TargetInfo& target;
  const Analyses analyses;
  const LaneWalks walks;
  const bool calls_sub_groups;
  const bool has_lanes_apart; // none waits for another one
};

// Why scalar code is faster than vector code of that width; null: it is not.
const char* why_scalar(const WidthFacts& facts, const WidthChoice& choice) {
  const auto& [description, target, analyses, walks, calls_sub_groups, has_lanes_apart] = facts;
  // On fibers, vector code is always better: there are fewer sub-groups than work-items to switch
  // between. Work-items of groups with barriers often read what others have in the cache, so that
  // gathers alone are no reason for scalar code.
  const bool may_be_scalar = !description.metadata.has_barrier ||
                             (description.regions.are_used && scatters_in_loops(analyses));
  if (may_be_scalar && !calls_sub_groups &&
      is_faster_scalar(analyses, choice.width, target.vector_bits))
    return "its loops mostly gather, which scalar loads do faster";
  if (choice.has_own_vectors &&
      is_faster_with_own_vectors(*description.body, analyses.shapes, analyses.loops, choice.width,
                                 target.vector_bits, target.vector_registers))
    return kVectorizedByHand;
  if (has_lanes_apart && is_faster_along_rows(walks, choice.width))
    return kAlongRows;
  return nullptr;
}

// Each lane walks through rows of its own: no more lanes than have their cache lines at a time.
void keep_own_rows(const WidthFacts& facts, WidthChoice& choice) {
  const auto& target = facts.target;
  // Zen 4 inserts what it loads for each lane more slowly than it computes with it.
  const bool fills_registers = !target.has_slow_gathers || target.vector_throughput > 1;
  choice.shared_lanes = facts.walks.are_shared && fills_registers
                            ? std::min(choice.width, target.vector_bits / 32)
                            : 0;
  choice.width = kOwnRowLanes;
  choice.walks_own_rows = true;
  choice.reason += "; few, since each has cache lines of its own";
}

// More lanes than a register has, which hide latencies and use what others bring to the caches. The
// first reason to have more counts.
void add_lanes(const WidthFacts& facts, WidthChoice& choice) {
  const auto& [description, target, analyses, walks, calls_sub_groups, has_lanes_apart] = facts;
  const auto take = [&choice](unsigned lanes, const char* reason) {
    choice.width = lanes;
    choice.is_doubled = false;
    choice.reason += reason;
  };
  const auto streams = lanes_for_streams(description, analyses, target, choice.width);
  const auto short_code = lanes_for_short_code(description, analyses, target, choice.width);
  if (walks.column_bytes != 0 && has_lanes_apart)
    if (const auto lanes = lanes_for_columns(description, analyses, target, walks, choice.width);
        lanes != choice.width && lanes >= streams)
      return take(lanes, "; more, since they walk down neighboring columns");
  if (const auto lanes = lanes_for_fibers(description, analyses, target, choice.width);
      lanes != choice.width)
    return take(lanes, "; more, since barriers switch between their stacks");
  widen(description, analyses, target, false, choice);
  if (choice.width < streams)
    take(streams, "; more, since they access many places");
  else if (choice.width < short_code)
    take(short_code, "; more, since they are short");
}

// Corrects the width by the costs of loops and register pressure. With `is_first` (Specialization)
// sub-groups have at most two registers for a value: more are more code.
void adjust_width(Kernel& description, const TargetInfo& target, bool is_first,
                  WidthChoice& choice) {
  if (has_private_variables(*description.body)) // which `canonicalize` has laid out for this width
    return;
  VectorPlan plan;
  plan.width = choice.width;
  const WidthFacts facts(description, target, plan);
  if (const auto* why = why_scalar(facts, choice)) {
    choice = {1, why};
    return;
  }
  if (choice.has_own_vectors)
    choice.reason += "; its own vectors would wait for their results";
  if (facts.walks.are_along_rows && facts.has_lanes_apart && choice.width >= kOwnRowLanes)
    keep_own_rows(facts, choice);
  else if (choice.has_own_vectors)
    return;
  else if (is_first)
    widen(description, facts.analyses, target, true, choice);
  else
    add_lanes(facts, choice);
}

// If the registers do not hold rows of twice the lanes, in groups of a known size: rows are as much
// independent work as these, and share what they load. Without registers of their own, rows of
// masks need more.
RowInterleave prefer_rows_to_lanes(Kernel& description, const TargetInfo& target,
                                   RowInterleave rows, bool may_restart, WidthChoice& choice) {
  const auto size_x = description.local_size[0];
  if (!target.has_mask_registers || !choice.is_doubled || rows.rows > 1 || size_x == 0 ||
      size_x % (choice.width / 2) != 0)
    return rows;
  const auto of_fewer_lanes =
      choose_row_interleave(*description.body, target, choice.width / 2, 0, may_restart);
  if (of_fewer_lanes.rows == 1)
    return rows;
  choice.width /= 2;
  choice.is_doubled = false;
  return of_fewer_lanes;
}

// In groups of a known size, with fewer rows than are good to interleave, wider sub-groups are as
// much independent work.
RowInterleave widen_for_rows(Kernel& description, const TargetInfo& target, RowInterleave rows,
                             bool may_restart, WidthChoice& choice) {
  auto& kernel = *description.body;
  const auto size_x = description.local_size[0];
  const auto enough = rows.wanted * choice.width;
  while (size_x != 0 && !choice.walks_own_rows && rows.rows * choice.width < enough &&
         choice.width * 2 <= kMaxWidth && size_x % (choice.width * 2) == 0) {
    const auto wider = choose_row_interleave(kernel, target, choice.width * 2, 0, may_restart);
    if (wider.rows < rows.rows ||
        !has_registers_for_rows(kernel, target, choice.width * 2, wider.rows))
      break;
    rows = wider;
    choice.width *= 2;
    choice.reason += "; twice as many, since its groups have few rows";
  }
  return rows;
}

// Interleaved rows that share what each lane loads compute much with each of these values: a whole
// register of them is faster, although each is of a cache line of its own. Not in groups of an
// unknown size, which may be narrower, nor with more lanes than registers have 32-bit elements: as
// many are gathered at once.
RowInterleave fill_registers_of_shared_rows(Kernel& description, const TargetInfo& target,
                                            RowInterleave rows, bool may_restart,
                                            WidthChoice& choice) {
  const auto size_x = description.local_size[0];
  if (rows.rows == 1 || choice.shared_lanes <= choice.width || size_x == 0 ||
      size_x % choice.shared_lanes != 0)
    return rows;
  const auto wider =
      choose_row_interleave(*description.body, target, choice.shared_lanes, 0, may_restart);
  if (wider.rows == 1)
    return rows;
  choice.width = choice.shared_lanes;
  choice.reason += ", but a full register, since its rows share these";
  return wider;
}

// The reason for which the kernel's barriers need fibers; null: it is split at its barriers, if
// any.
const char* reason_for_fibers(const Kernel& kernel, const Build& build) {
  if (build.request.force_fibers != 0)
    return "HEDDLE_BARRIERS requests it";
  if (kernel.checks_divergence)
    return "HEDDLE_CHECK tells its work-items apart";
  if (kernel.has_polling_loops)
    return "a loop may wait for another sub-group";
  if (!build.options.optimize)
    return "-cl-opt-disable requests unoptimized code";
  if (kernel.body->getInstructionCount() > kMaxInstructionsOptimized)
    return "it is too large to be optimized";
  if (calls_barriers_or_subgroup_operations(*kernel.body))
    return "a function that it calls, and that could not be inlined, has a barrier or works on the "
           "sub-group's lanes";
  if (count_barriers(*kernel.body) * kernel.body->getInstructionCount() > kMaxInstructionsSplit)
    return "it has so many barriers that code for each region between them would take too long to "
           "compile";
  return nullptr;
}

} // namespace

llvm::PreservedAnalyses ChooseWidthPass::run_on_kernel(Kernel& kernel,
                                                       llvm::FunctionAnalysisManager& analyses) {
  auto& body = *kernel.body;
  auto& build = compilation_.build;
  kernel.plan = std::make_shared<VectorizationPlan>();
  // Checks of the order of accesses are by groups.
  if (build.options.optimize && !compilation_.checks_race() && !kernel.checks_divergence)
    kernel.launch.coalescing = choose_group_coalescing(kernel);
  kernel.metadata.prefers_first_dimension = clearly_prefers_first_dimension(kernel);
  kernel.plan->width = initial_width(kernel, compilation_);
  const auto& target = compilation_.target_info;
  kernel.plan->has_gathers = target.has_gathers;
  kernel.plan->has_masked_accesses = target.has_masked_accesses;
  kernel.plan->permutes = target.permutes;
  kernel.plan->has_slow_scatters = target.has_slow_scatters;
  kernel.plan->loads_three_words = target.loads_three_words;
  if (compilation_.target_info.has_slow_update_copies)
    kernel.plan->updates_per_iteration = updates_per_iteration(body);
  kernel.report.place = place_of(body);
  const auto* why_fibers = reason_for_fibers(kernel, build);
  kernel.report.why_fibers = why_fibers != nullptr ? why_fibers : "";
  kernel.regions.are_used = kernel.metadata.has_barrier && why_fibers == nullptr;
  auto& width = kernel.plan->width;
  if (kernel.plan->is_vectorized() && !width.is_requested && !width.is_fixed &&
      has_private_variables(body)) {
    if (is_faster_along_rows(kernel, width.width))
      width = {1, kAlongRows};
    else if (is_faster_with_tables_of_one(kernel, target, analyses, width.width))
      width = {1,
               "its loops mostly gather from private arrays that a cache holds of one work-item"};
    else
      widen_private_arrays(kernel, target, compilation_.is_first(), analyses, width);
  }
  return llvm::PreservedAnalyses::all();
}

void ChooseVariantsPass::choose_rows(Kernel& kernel) const {
  auto& body = *kernel.body;
  auto& plan = *kernel.plan;
  kernel.metadata.vector_width = plan.width.width;
  // A sub-group of a kernel with barrier regions cannot start again in another variant. Straight
  // code has no branches to guard it, and is what the analyses take longest for.
  plan.has_guards = !kernel.regions.are_used && body.size() != 1 &&
                    !find_guards(body, Analyses(body, body_plan(kernel))).empty();
  if (!kernel.regions.are_used && kernel.metadata.has_barrier)
    return;
  const auto requested = compilation_.build.request.specialization.rows;
  const auto& target = compilation_.target_info;
  auto rows = choose_row_interleave(body, target, plan.width.width, requested, plan.has_guards);
  if (requested == 0 && !plan.width.is_requested) {
    rows = prefer_rows_to_lanes(kernel, target, rows, plan.has_guards, plan.width);
    rows = fill_registers_of_shared_rows(kernel, target, rows, plan.has_guards, plan.width);
    rows = widen_for_rows(kernel, target, rows, plan.has_guards, plan.width);
  }
  kernel.metadata.row_interleave = rows.rows;
  kernel.metadata.may_interleave_rows = rows.may_be_more;
}

llvm::PreservedAnalyses
ChooseVariantsPass::run_on_kernel(Kernel& kernel, llvm::FunctionAnalysisManager& /*analyses*/) {
  auto& body = *kernel.body;
  auto& plan = *kernel.plan;
  kernel.metadata.reuses_columns = reuses_columns(body);
  if (plan.is_vectorized() && !plan.width.is_requested)
    adjust_width(kernel, compilation_.target_info, compilation_.is_first(), plan.width);
  if (kernel.regions.are_used) {
    divide_regions(body);
    number_barriers(kernel);
  }
  if (plan.is_vectorized())
    choose_rows(kernel);
  if (plan.width.is_doubled)
    plan.width.reason += kHasRegisters;
  kernel.report.why_width = plan.width.reason;
  if (kernel.metadata.has_swapped_dimensions)
    kernel.report.why_width += "; lanes run along the second dimension";
  kernel.metadata.vector_width = plan.width.width;
  plan.gathers_local_memory = may_promote_local_memory(kernel);
  // Also by reductions, which add in the order of the lanes.
  kernel.metadata.shows_sub_groups =
      llvm::any_of(reachable_functions(body), [](const llvm::Function* function) {
        return calls_subgroup_intrinsics(*function);
      });
  kernel.metadata.has_fixed_width = plan.width.is_fixed || kernel.metadata.shows_sub_groups;
  kernel.metadata.may_swap_dimensions =
      kernel.metadata.has_swapped_dimensions ||
      (!kernel.metadata.shows_sub_groups && !work_item_params(body).local_id[1]->use_empty());
  if (!plan.is_vectorized())
    return llvm::PreservedAnalyses::none();
  // If lanes wait for each other, the tail cannot be left to scalar code.
  kernel.launch.tail_is_exact = kernel.metadata.has_barrier || calls_subgroup_intrinsics(body);
  kernel.launch.widest_crossed_row = choose_widest_crossed_row(kernel, compilation_.is_first());
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
