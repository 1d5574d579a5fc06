#include "compiler/vectorize/vectorize.h"

#include "compiler/analysis/call_graph.h"
#include "compiler/ir/subgroup_intrinsics.h"
#include "compiler/lower/lower_barriers.h"
#include "compiler/support/build.h"
#include "compiler/support/source_place.h"
#include "compiler/vectorize/analysis/analyses.h"
#include "compiler/vectorize/emit/emitter.h"
#include "compiler/vectorize/plan/choose_lane_mapping.h"
#include "compiler/vectorize/plan/choose_row_interleave.h"
#include "compiler/vectorize/plan/choose_width.h"
#include "compiler/vectorize/plan/coalesce_work_groups.h"
#include "compiler/vectorize/plan/double_width.h"
#include "compiler/vectorize/plan/loop_cost_model.h"
#include "compiler/vectorize/transform/canonicalize.h"
#include "compiler/vectorize/transform/nontemporal_group_loops.h"
#include "compiler/vectorize/transform/peel_masked_remainder.h"
#include "compiler/vectorize/transform/uniformize_guards.h"
#include "compiler/workgroup/form_barrier_regions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace heddle::compiler {
namespace {

// Functions above this size are not even optimised (optimize/pass_pipelines.cpp).
constexpr unsigned kLargestVectorised = 30'000;
// Each step between barriers begins as a copy of the kernel: instructions of all copies.
constexpr std::size_t kLargestSplit = 1'000'000;

std::size_t barriers_of(const llvm::Function& function) {
  return static_cast<std::size_t>(
      llvm::count_if(llvm::instructions(function),
                     [](const llvm::Instruction& instruction) { return is_barrier(instruction); }));
}

// A barrier in a function that is called, not inlined, would have to be crossed lane by lane, and
// a function that works on the sub-group's lanes would see one lane.
bool calls_across_lanes(llvm::Function& kernel) {
  for (const auto* function : reachable_functions(kernel))
    if (function != &kernel) {
      if (calls_subgroup_intrinsics(*function))
        return true;
      if (barriers_of(*function) != 0)
        return true;
    }
  return false;
}

WidthChoice width_of(llvm::Function& kernel, const TargetInfo& target, const Build& build) {
  if (!build.options.optimize)
    return {1, "-cl-opt-disable asks for plain code"};
  if (kernel.getInstructionCount() > kLargestVectorised)
    return {1, "it is too large to be optimised"};
  if (calls_across_lanes(kernel))
    return {1, "a function that it calls, and that could not be inlined, has a barrier or works on "
               "the sub-group's lanes"};
  return choose_width(kernel, target, build.request.vector_width);
}

llvm::Function* emit(llvm::Function& kernel, const VectorPlan& plan, const llvm::Twine& name,
                     Remarks* remarks, llvm::Function* fallback, PhaseTimer& timer,
                     std::vector<IdBase>* id_bases) {
  Analyses now(kernel, plan);
  if (id_bases != nullptr)
    add_id_bases(*id_bases, now.shapes.id_bases());
  timer.mark("shapes");
  const Linearization schedule(kernel, now.shapes, now.loops, now.dominators);
  timer.mark("schedule");
  auto* made = Emitter(kernel, plan, now.shapes, schedule, now.loops, remarks, fallback).run(name);
  timer.mark("emit");
  return made;
}

// What is seen only when it is known how values differ between lanes.
void reconsider(Kernel& description, const TargetInfo& target, WidthChoice& choice) {
  auto& kernel = *description.body;
  VectorPlan plan;
  plan.width = choice.width;
  Analyses now(kernel, plan);
  // Work-items that meet at barriers gain from crossing them together.
  if (!description.metadata.has_barrier && !calls_subgroup_intrinsics(kernel) &&
      is_faster_scalar(kernel, now.shapes, now.loops, choice.width, target.vector_bits)) {
    choice = {1, "most of what its loops do is to gather, which loads do faster"};
    return;
  }
  if (!should_double_width(description, now, target, choice.width))
    return;
  choice.width *= 2;
  choice.why += "; twice as many, since the registers hold two for each value";
}

// A kernel that stays scalar is split at its barriers as well: as a sub-group of one.
void split_scalar(Kernel& kernel) {
  auto& body = *kernel.body;
  copy_written_parameters(body);
  number_barriers(kernel);
  llvm::ValueToValueMapTy values;
  auto* item = llvm::CloneFunction(&body, values);
  item->setName(kernel.metadata.name + ".item");
  item->setLinkage(llvm::GlobalValue::InternalLinkage);
  item->addFnAttr(llvm::Attribute::AlwaysInline);
  for (auto& parameter : item->args())
    parameter.removeAttr(llvm::Attribute::ByVal);
  kernel.variants.set(VariantKind::scalar, item);
  form_barrier_regions(kernel);
}

// Why the kernel's work-items cross barriers on fibers; null: in region loops, if there are any.
const char* reason_for_fibers(const Kernel& kernel, const Build& build) {
  if (build.request.force_fibers != 0)
    return "HEDDLE_BARRIERS asks for it";
  if (!build.options.optimize)
    return "-cl-opt-disable asks for plain code";
  if (kernel.body->getInstructionCount() > kLargestVectorised)
    return "it is too large to be optimised";
  if (calls_across_lanes(*kernel.body))
    return "a function that it calls, and that could not be inlined, has a barrier or works on the "
           "sub-group's lanes";
  if (barriers_of(*kernel.body) * kernel.body->getInstructionCount() > kLargestSplit)
    return "it has so many barriers that code for each step between them would take too long to "
           "compile";
  return nullptr;
}

} // namespace

static void vectorize(Kernel& kernel, const TargetInfo& target, Build& build) {
  auto& body = *kernel.body;
  // Reports of checks are to name work-items as closely as they can.
  if (build.options.optimize && build.request.checks == 0)
    kernel.launch.coalescing = choose_group_coalescing(kernel);
  auto choice = width_of(body, target, build);
  kernel.report.place = place_of(body);
  const auto* why_fibers = reason_for_fibers(kernel, build);
  kernel.report.why_fibers = why_fibers != nullptr ? why_fibers : "";
  const bool is_split = kernel.metadata.has_barrier && why_fibers == nullptr;
  build.timer.mark("width");
  if (choice.width != 1) {
    canonicalize(body, choice.width);
    build.timer.mark("prepare");
    if (!choice.is_asked)
      reconsider(kernel, target, choice);
    build.timer.mark("interleave");
  }
  if (choice.width == 1) {
    kernel.report.why_width = choice.why;
    if (is_split)
      split_scalar(kernel);
    return;
  }
  const auto width = choice.width;
  kernel.report.why_width = choice.why;
  if (is_split)
    number_barriers(kernel);
  VectorPlan plan;
  plan.width = width;
  plan.has_gathers = target.has_avx512;
  kernel.metadata.vector_width = width;
  // What is kept from step to step cannot be begun again.
  const bool has_bounds_checks = !is_split && !find_guards(body, Analyses(body, plan)).empty();
  if (is_split || !kernel.metadata.has_barrier)
    kernel.launch.block_rows =
        choose_row_interleave(body, target, width, build.request.block_rows, has_bounds_checks);
  kernel.report.interleave = kernel.launch.block_rows;
  const auto make = [&](const char* form, Remarks* remarks, llvm::Function* fallback) {
    return emit(body, plan, kernel.metadata.name + form, remarks, fallback, build.timer,
                &kernel.launch.id_bases);
  };
  plan.masked = true;
  // Sub-groups whose lanes wait for each other cannot be run one work-item at a time.
  kernel.launch.tail_is_exact = kernel.metadata.has_barrier || calls_subgroup_intrinsics(body);
  kernel.launch.widest_crossed_row = widest_crossed_row(kernel);
  if (kernel.launch.widest_crossed_row != 0) {
    plan.mapping = LaneMapping::linear;
    plan.exact_ids = true;
    kernel.variants.set(VariantKind::crossing, make(".crossing", nullptr, nullptr));
    plan.mapping = LaneMapping::row;
  }
  plan.masked = false;
  plan.exact_ids = false;
  plan.rows = kernel.launch.block_rows;
  RedistributedLoops redistributed;
  if ((is_split || !kernel.metadata.has_barrier) && !calls_subgroup_intrinsics(body) &&
      build.request.checks == 0 && !has_bounds_checks)
    redistributed = redistribute_group_loops(body, plan);
  plan.rows = 1;
  plan.masked = true;
  plan.exact_ids = kernel.launch.tail_is_exact;
  auto* tail = make(".tail", nullptr, nullptr);
  kernel.variants.set(VariantKind::tail, tail);
  plan.masked = false;
  // Where the first sub-group works for all, none may be run in another form than was thought.
  plan.exact_ids = !redistributed.loops.empty();
  plan.rows = kernel.launch.block_rows;
  auto* fallback = is_split || !redistributed.loops.empty() ? nullptr : tail;
  if (has_bounds_checks)
    uniformize_guards(body, plan);
  redistributed.state_all_are_whole();
  const auto whole_loops = peel_masked_remainder(body, plan, redistributed);
  kernel.launch.has_nontemporal_loops =
      target.has_avx2 && mark_nontemporal_group_loops(body, plan, whole_loops);
  plan.rows = 1;
  build.timer.mark("whole-rounds");
  // The other forms have the same remarks.
  kernel.variants.set(
      VariantKind::whole,
      make(".wide", build.options.explain ? &kernel.report.remarks : nullptr, fallback));
  if (kernel.launch.block_rows > 1) {
    plan.rows = kernel.launch.block_rows;
    kernel.variants.set(VariantKind::block, make(".block", nullptr, fallback));
  }
  // In the order in which one wants to read them.
  auto& functions = body.getParent()->getFunctionList();
  for (const auto kind : {VariantKind::whole, VariantKind::block})
    if (auto* variant = kernel.variant(kind))
      functions.splice(tail->getIterator(), functions, variant->getIterator());
  if (auto* crossing = kernel.variant(VariantKind::crossing))
    functions.splice(std::next(tail->getIterator()), functions, crossing->getIterator());
  if (!tail->use_empty()) {
    tail->removeFnAttr(llvm::Attribute::AlwaysInline);
    tail->addFnAttr(llvm::Attribute::NoInline);
  }
  if (is_split)
    form_barrier_regions(kernel);
  build.timer.mark("split-at-barriers");
}

llvm::PreservedAnalyses VectorizePass::run(llvm::Module& /*module*/,
                                           llvm::ModuleAnalysisManager& /*analyses*/) {
  for (auto& kernel : compilation_.kernels)
    vectorize(kernel, compilation_.target_info, compilation_.build);
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
