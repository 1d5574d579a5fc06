// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/pass_pipeline.h"

#include "compiler/all_passes.h"
#include "compiler/ir/address_space.h"
#include "compiler/ir/module_snapshot.h"
#include "compiler/ir/vectorized_attribute.h"
#include "compiler/kernel_body_adaptor.h"
#include "compiler/skipped_passes.h"
#include "compiler/target/target_passes.h"
#include "compiler/vectorize/plan/choose_dimension.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/DeadStoreElimination.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
#include "llvm/Transforms/Scalar/InferAddressSpaces.h"
#include "llvm/Transforms/Scalar/InferAlignment.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Scalar/JumpThreading.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopDeletion.h"
#include "llvm/Transforms/Scalar/LoopInstSimplify.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/LoopSimplifyCFG.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Scalar/MemCpyOptimizer.h"
#include "llvm/Transforms/Scalar/Reassociate.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimpleLoopUnswitch.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Vectorize/VectorCombine.h"

#include <optional>

namespace heddle::compiler {
namespace {

using llvm::createFunctionToLoopPassAdaptor;
using llvm::createModuleToFunctionPassAdaptor;
using llvm::FunctionPassManager;
using llvm::LoopPassManager;
using llvm::ModulePassManager;

constexpr int kUnrollLevel = 2; // as at -O2
constexpr auto kModifyCFG = llvm::SROAOptions::ModifyCFG;

// Superword-level vectorization takes time quadratic in a function's size.
constexpr unsigned kMaxInstructionsForSlp = 5'000;
// Unrolling a loop invalidates what ScalarEvolution knows of all users of its values.
constexpr unsigned kMaxInstructionsUnrolled = 8'000;

// Runs function passes on the functions of vectorized kernels.
class VectorizedFunctionAdaptor : public llvm::PassInfoMixin<VectorizedFunctionAdaptor> {
 public:
  explicit VectorizedFunctionAdaptor(FunctionPassManager passes) : passes_(std::move(passes)) {}
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
    return function.hasFnAttribute(kVectorizedAttribute) ? passes_.run(function, analyses)
                                                         : llvm::PreservedAnalyses::all();
  }

 private:
  FunctionPassManager passes_;
};

bool is_scalar(const Kernel& kernel) { return kernel.metadata.vector_width == 1; }

// Whether the kernel has counters that were not simplified before it was vectorized: those of loops
// between barriers, over queues of waiting sub-groups and over lanes that cross rows.
bool has_new_counters(const Kernel& kernel) {
  const auto& metadata = kernel.metadata;
  return is_scalar(kernel) || metadata.has_barrier || metadata.is_block ||
         metadata.uses_device_queues || kernel.has_polling_loops ||
         kernel.variants.has(VariantKind::crossing);
}

// A unit that launches begin in while the optimized one is built.
bool is_plain(const Build& build) {
  return build.request.specialization.lanes == 1 && !build.options.optimize;
}

// Whether variables are to stay in memory.
bool is_for_debuggers(const llvm::Module& module) {
  return llvm::any_of(module.debug_compile_units(), [](const llvm::DICompileUnit* unit) {
    return unit->getEmissionKind() == llvm::DICompileUnit::FullDebug;
  });
}

class Pipeline {
 public:
  Pipeline(Compilation& compilation, std::unique_ptr<llvm::Module>& module, StageObserver observe)
      : compilation_(compilation), module_(module), observe_(observe) {}

  PassOutcome run() {
    // Clang casts null reservation ids to target extension types, which is not valid IR until
    // LowerTargetExtTypesPass, the last pass of the first stage.
    if (!run_stage("link", &Pipeline::add_linking, {}, false, false) ||
        !run_stage("lower", &Pipeline::add_lowering) ||
        !run_stage("inline", &Pipeline::add_inlining) ||
        !run_stage("simplify", &Pipeline::add_simplification))
      return PassOutcome::failed;
    if (compilation_.chooses_dimension() && has_better_second_dimension())
      return PassOutcome::prefers_second_dimension;
    for (;;) {
      // Code that is not optimized is scalar, and never too long.
      std::optional<ModuleSnapshot> snapshot;
      if (compilation_.optimizes()) {
        snapshot.emplace(compilation_, *module_);
        compilation_.build.timer.mark("copy");
      }
      if (run_stage("vectorize", &Pipeline::add_vectorization) &&
          run_stage("work-groups", &Pipeline::add_work_groups) && optimize())
        return PassOutcome::ok;
      if (!compilation_.limit_lanes() || !snapshot)
        return PassOutcome::failed;
      module_ = std::move(*snapshot).restore(compilation_);
    }
  }

 private:
  using AddPasses = void (Pipeline::*)(ModulePassManager& passes, llvm::PassBuilder& builder);

  // Each stage has analysis managers of its own: nothing cached outlives it.
  bool run_stage(llvm::StringRef name, AddPasses add,
                 const llvm::PipelineTuningOptions& tuning = {}, bool skips_vectorized = false,
                 bool may_verify = true) {
    PassRunner runner(compilation_, name, observe_, tuning, skips_vectorized, may_verify);
    ModulePassManager passes;
    (this->*add)(passes, runner.builder());
    const bool ok = runner.run(passes, *module_);
    compilation_.build.kept.add_ir(name, *module_);
    if (ok && observe_)
      observe_(name, *module_);
    return ok;
  }

  bool has_better_second_dimension() const {
    return llvm::all_of(compilation_.kernels, [&](const Kernel& kernel) {
      return !compilation_.calls_checks(kernel) && !kernel.metadata.is_block &&
             !kernel.metadata.uses_device_queues && prefers_second_dimension(kernel);
    });
  }

  // The builtin library, and OpenCL C's opaque types.
  void add_linking(ModulePassManager& passes, llvm::PassBuilder& /*builder*/) {
    passes.addPass(LowerIndexChecksPass(compilation_));
    // While private variables are in memory.
    if (llvm::is_contained(compilation_.build.options.clang, "-ftrivial-auto-var-init=zero"))
      passes.addPass(ZeroPrivatePass());
    // While builtins are calls of known names.
    if (compilation_.checks_memory())
      passes.addPass(InsertMemoryChecksPass());
    if (compilation_.checks_race() || compilation_.checks_divergence())
      passes.addPass(InsertOrderChecksPass(compilation_));
    if (compilation_.checks_uninitialized())
      passes.addPass(MarkProgramCodePass());
    if (compilation_.optimizes())
      passes.addPass(FoldConstantPowersPass());
    passes.addPass(LowerAssertionsPass());
    passes.addPass(MarkSubGroupUsersPass());
    passes.addPass(LinkBuiltinsPass(compilation_));
    if (compilation_.checks_race())
      passes.addPass(InsertBuiltinRaceChecksPass());
    // While functions of the library are told apart by name.
    passes.addPass(LowerBuiltinLocalMemoryPass());
    passes.addPass(AnnotateSubgroupIntrinsicsPass());
    passes.addPass(InternalizeAllPass());
    passes.addPass(LowerTargetExtTypesPass());
  }

  // From OpenCL C's builtins and variables to plain functions of a work-item.
  void add_lowering(ModulePassManager& passes, llvm::PassBuilder& /*builder*/) {
    passes.addPass(LowerBlocksPass());
    passes.addPass(NumberBlockKernelsPass(compilation_));
    passes.addPass(FindKernelsPass(compilation_));
    // Checks report what accesses promise.
    passes.addPass(RelaxAlignmentPass(compilation_.checks_memory() ? Alignments::of_pointers
                                                                   : Alignments::all));
    if (is_plain(compilation_.build) && !is_for_debuggers(*module_)) {
      // Before the first pass that asks for the costs of the target: a description of it takes 0.5
      // ms to make, and there is one for each set of attributes.
      passes.addPass(SetTargetAttributesPass(compilation_.target));
      FunctionPassManager early;
      if (compilation_.checks_uninitialized()) {
        early.addPass(PromotePointersPass());
      } else {
        early.addPass(llvm::SROAPass(kModifyCFG));
        early.addPass(llvm::SimplifyCFGPass());
        early.addPass(llvm::InstSimplifyPass());
        early.addPass(FoldLoopsPass());
      }
      passes.addPass(createModuleToFunctionPassAdaptor(std::move(early)));
      passes.addPass(EstimateWorkPass(compilation_));
    }
    passes.addPass(GuardDivisionPass(compilation_.checks_division()));
    // Needs to know what uses a variable at program scope.
    passes.addPass(AddWorkItemParamsPass(compilation_));
    // All of these read the work-item parameters.
    passes.addPass(AllocateLocalVariablesPass(compilation_));
    passes.addPass(LowerProgramScopePass(compilation_));
    passes.addPass(MarkBarriersPass(compilation_));
    passes.addPass(LowerWorkItemQueriesPass(compilation_.swaps_dimensions()));
    passes.addPass(LowerPrintfPass(compilation_));
    passes.addPass(LowerDeviceEnqueuePass(compilation_));
    passes.addPass(
        ApplyInlinePolicyPass(is_plain(compilation_.build) && !is_for_debuggers(*module_)));
  }

  // One function for each kernel, with the target's data layout.
  void add_inlining(ModulePassManager& passes, llvm::PassBuilder& builder) {
    if (compilation_.is_first())
      passes.addPass(KeepStraightCallsPass());
    passes.addPass(RetargetPass(compilation_.target));
    // Before inlining, which needs bodies: what keeps its call loses its body here.
    passes.addPass(MarkTargetMathPass(compilation_.target_info));
    passes.addPass(ExposeKernelsPass(compilation_));
    // Cleaning up makes code three times shorter.
    passes.addPass(LimitHugeFunctionsPass(kMaxInstructionsOptimized * 3));
    if (compilation_.optimizes()) {
      // Cheap cleaning before code is copied into its callers.
      passes.addPass(createModuleToFunctionPassAdaptor(
          compilation_.checks_uninitialized() ? pointer_promotion() : early_simplification()));
      // Where it is seen which argument an image is, and before copies of accesses are made.
      passes.addPass(SpecializeImagesPass());
      passes.addPass(llvm::AlwaysInlinerPass(true));
      passes.addPass(llvm::GlobalDCEPass());
      if (compilation_.checks_uninitialized()) {
        add_initialization_checks(passes);
        passes.addPass(createModuleToFunctionPassAdaptor(early_simplification()));
      }
      FunctionPassManager spaces;
      spaces.addPass(llvm::SROAPass(kModifyCFG));
      spaces.addPass(llvm::InferAddressSpacesPass(kGeneric));
      spaces.addPass(FoldImageDescriptorsPass());
      passes.addPass(createModuleToFunctionPassAdaptor(std::move(spaces)));
      passes.addPass(MarkVectorFormsPass());
    } else {
      // Most of a plain kernel's code would be that of formats that its images do not have.
      if (is_plain(compilation_.build) && !is_for_debuggers(*module_))
        passes.addPass(SpecializeImagesPass());
      // Checks follow where pointers point.
      if (compilation_.checks_memory() && !compilation_.checks_uninitialized())
        passes.addPass(createModuleToFunctionPassAdaptor(pointer_promotion()));
      passes.addPass(builder.buildO0DefaultPipeline(llvm::OptimizationLevel::O0));
      if (compilation_.checks_uninitialized())
        add_initialization_checks(passes);
      else if (compilation_.checks_memory())
        passes.addPass(createModuleToFunctionPassAdaptor(pointer_promotion()));
    }
    if (compilation_.checks_memory())
      passes.addPass(PassObjectPlacesPass(compilation_));
    passes.addPass(LimitHugeFunctionsPass(kMaxInstructionsOptimized));
    // Where loops are, and not only calls.
    passes.addPass(MarkPollingLoopsPass(compilation_));
    // Counts in a private variable where all calls are inlined.
    passes.addPass(LowerCollectiveBuffersPass(compilation_));
  }

  static FunctionPassManager early_simplification() {
    FunctionPassManager early;
    early.addPass(DropPrivateVolatilePass());
    early.addPass(PromoteShortVariablesPass());
    early.addPass(llvm::SROAPass(kModifyCFG));
    early.addPass(llvm::EarlyCSEPass());
    early.addPass(llvm::SimplifyCFGPass());
    return early;
  }

  static FunctionPassManager pointer_promotion() {
    FunctionPassManager pointers;
    pointers.addPass(PromotePointersPass());
    pointers.addPass(llvm::InferAddressSpacesPass(kGeneric));
    return pointers;
  }

  void add_initialization_checks(ModulePassManager& passes) {
    passes.addPass(createModuleToFunctionPassAdaptor(pointer_promotion()));
    passes.addPass(InsertInitializationChecksPass(compilation_));
  }

  // Kernel bodies in the form that the vectorizer does most with: few instructions, simple loops,
  // indices as wide as pointers.
  void add_simplification(ModulePassManager& passes, llvm::PassBuilder& /*builder*/) {
    if (compilation_.optimizes()) {
      passes.addPass(KernelBodyAdaptor(compilation_, body_simplification(Of::kernel)));
    }
    // Functions that are not inlined, and kernels that are not optimized.
    if (compilation_.checks_memory())
      passes.addPass(createModuleToFunctionPassAdaptor(InsertObjectChecksPass(compilation_)));
    if (compilation_.checks_divergence())
      passes.addPass(DropUniformMeetingsPass(compilation_));
  }

  enum class Of : std::uint8_t { kernel, called_function };
  FunctionPassManager body_simplification(Of what) {
    FunctionPassManager body;
    if (what == Of::kernel)
      body.addPass(AssumeDisjointArgumentsPass(compilation_));
    body.addPass(llvm::EarlyCSEPass(true));
    if (what == Of::kernel)
      body.addPass(IdsFromGlobalIdPass(compilation_));
    body.addPass(llvm::InstCombinePass());
    if (compilation_.checks_uninitialized())
      body.addPass(DropPassedInitializationChecksPass());
    body.addPass(llvm::SimplifyCFGPass());
    body.addPass(RotateManyLoopsPass());
    LoopPassManager shape;
    shape.addPass(llvm::LoopInstSimplifyPass());
    shape.addPass(llvm::LoopSimplifyCFGPass());
    shape.addPass(RotateLoopPass());
    // Not LICM: it reassociates sums and drops their no-wrap flags.
    body.addPass(createFunctionToLoopPassAdaptor(std::move(shape)));
    body.addPass(llvm::SimplifyCFGPass());
    body.addPass(llvm::InstCombinePass());
    // Where most loops have the form in which it is known how far they count.
    if (what == Of::kernel && compilation_.checks_memory())
      body.addPass(InsertObjectChecksPass(compilation_));
    // These two mark loops for LoopFullUnrollPass.
    body.addPass(MarkLoopsForUnrollPass());
    body.addPass(UnrollForSroaPass());
    LoopPassManager counters;
    counters.addPass(llvm::IndVarSimplifyPass());
    counters.addPass(llvm::LoopDeletionPass());
    counters.addPass(llvm::LoopFullUnrollPass(kUnrollLevel, true));
    body.addPass(createFunctionToLoopPassAdaptor(std::move(counters)));
    // Lanes of a loop that one lane would leave at once run through all of its iterations.
    body.addPass(FoldLoopsPass());
    body.addPass(llvm::SROAPass(kModifyCFG));
    // No PRE: a phi of equal indices hides that they are equal.
    body.addPass(llvm::GVNPass(llvm::GVNOptions().setPRE(false).setLoadPRE(false)));
    body.addPass(ForwardStoresToNextIterationPass());
    body.addPass(PromoteLoopAccessesPass());
    // Where unrolled loops have added constants to ids.
    if (what == Of::kernel) {
      body.addPass(CompareMultiplesPass(compilation_));
      body.addPass(DivideLinearIdsPass(compilation_));
    }
    body.addPass(llvm::InstCombinePass());
    // InstCombine gives each address its own sum of what several share.
    body.addPass(llvm::EarlyCSEPass());
    body.addPass(llvm::SimplifyCFGPass());
    body.addPass(llvm::ADCEPass());
    body.addPass(OrderForPressurePass());
    return body;
  }

  // From work-items to sub-groups.
  void add_vectorization(ModulePassManager& passes, llvm::PassBuilder& /*builder*/) {
    if (compilation_.optimizes()) {
      FunctionPassManager body;
      const bool may_move_copies = !compilation_.checks_memory() && !compilation_.checks_race() &&
                                   !compilation_.checks_uninitialized();
      if (may_move_copies)
        body.addPass(ElideLocalCopiesPass(compilation_));
      passes.addPass(KernelBodyAdaptor(compilation_, std::move(body)));
      passes.addPass(MarkMaskedFormsPass(compilation_));
    }
    passes.addPass(LowerLocalVariablesPass());
    // When helper functions are inlined, it is seen which argument a pointer comes from.
    if (compilation_.checks_memory()) {
      passes.addPass(CheckAccessesPass(compilation_));
      passes.addPass(RelaxAlignmentPass(Alignments::of_accesses));
    }
    if (compilation_.checks_uninitialized())
      passes.addPass(LowerInitializationChecksPass());
    if (compilation_.checks_race())
      passes.addPass(SkipOrderedChecksPass(compilation_));
    passes.addPass(LowerMemoryChecksPass(compilation_));
    passes.addPass(KernelBodyAdaptor(compilation_, vectorizer()));
    passes.addPass(EmitVectorFormsPass(compilation_, body_simplification(Of::called_function)));
    passes.addPass(LowerTargetMathPass());
    target_passes::add_to_vectorized(passes, compilation_.target_info);
    passes.addPass(DeferGathersPass(compilation_));
    target_passes::add_for_gathers(passes, compilation_.target_info, false);
    if (compilation_.optimizes())
      passes.addPass(NontemporalStoresPass(compilation_));
  }

  // Body by body: decides on variants, transforms the body, and emits each variant from the body as
  // it is at that point (kVariantSpecs).
  FunctionPassManager vectorizer() {
    FunctionPassManager body;
    body.addPass(ChooseWidthPass(compilation_));
    body.addPass(CanonicalizePass(compilation_));
    body.addPass(ChooseVariantsPass(compilation_));
    body.addPass(EmitVariantsPass(compilation_, BodyStage::canonical));
    body.addPass(RedistributeGroupLoopsPass(compilation_));
    body.addPass(EmitVariantsPass(compilation_, BodyStage::redistributed));
    // From here on for sub-groups whose lanes are all active.
    body.addPass(UniformizeGuardsPass(compilation_));
    body.addPass(PeelMaskedRemainderPass(compilation_));
    body.addPass(MergeComponentsPass(compilation_));
    body.addPass(EmitVariantsPass(compilation_, BodyStage::peeled));
    body.addPass(FormBarrierRegionsPass(compilation_));
    return body;
  }

  // From sub-groups to work-groups, and what only the vectorizer had to know as calls.
  void add_work_groups(ModulePassManager& passes, llvm::PassBuilder& /*builder*/) {
    passes.addPass(LowerLocalAtomicsPass());
    passes.addPass(LowerSubgroupIntrinsicsPass());
    passes.addPass(LowerElidedCopiesPass());
    if (compilation_.optimizes())
      passes.addPass(ExpandSmallCopiesPass());
    passes.addPass(SpecializeCopiesPass(compilation_.target_info));
    passes.addPass(LowerBarriersPass());
    passes.addPass(MakeKernelWrappersPass(compilation_));
    passes.addPass(SetTargetAttributesPass(compilation_.target));
  }

  // Vectorized functions get Heddle's choice of LLVM's passes; scalar ones LLVM's -O2, which would
  // take time and undo decisions in vectorized ones.
  bool optimize() {
    const auto has_scalar = llvm::any_of(compilation_.kernels, is_scalar);
    llvm::PipelineTuningOptions tuning;
    tuning.LoopVectorization = has_scalar;
    tuning.LoopInterleaving = has_scalar;
    tuning.LoopUnrolling = unrolls_ = has_none_above(*module_, kMaxInstructionsUnrolled);
    tuning.SLPVectorization = has_scalar && has_none_above(*module_, kMaxInstructionsForSlp);
    return run_stage("optimize-vectorized", &Pipeline::add_vector_optimization, tuning) &&
           run_stage("optimize", &Pipeline::add_scalar_optimization, tuning, true);
  }

  void add_vector_optimization(ModulePassManager& passes, llvm::PassBuilder& /*builder*/) {
    passes.addPass(MarkVectorizedPass(compilation_));
    passes.addPass(DeferGathersPass(compilation_));
    passes.addPass(llvm::AlwaysInlinerPass(true));
    if (!compilation_.optimizes())
      return;
    passes.addPass(llvm::GlobalDCEPass());
    auto functions = vector_simplification();
    if (llvm::any_of(compilation_.kernels, may_promote_local_memory)) {
      functions.addPass(PromoteLocalMemoryPass(compilation_));
      add_for_vectorized(passes, std::move(functions));
      target_passes::add_for_gathers(passes, compilation_.target_info, true);
      // What was done to the others' gathers.
      functions = FunctionPassManager();
      functions.addPass(llvm::EarlyCSEPass(true));
      functions.addPass(llvm::SimplifyCFGPass(early_cfg()));
      functions.addPass(llvm::InstCombinePass());
    }
    add_vector_pipeline(functions);
    // Rows side by side have the same values for the same addresses only after the rest.
    if (llvm::any_of(compilation_.kernels,
                     [](const auto& kernel) { return kernel.variants.has(VariantKind::block); }))
      functions.addPass(llvm::EarlyCSEPass(true));
    add_for_vectorized(passes, std::move(functions));
  }

  void add_for_vectorized(ModulePassManager& passes, FunctionPassManager functions) const {
    if (llvm::any_of(compilation_.kernels, is_scalar))
      passes.addPass(
          createModuleToFunctionPassAdaptor(VectorizedFunctionAdaptor(std::move(functions))));
    else
      passes.addPass(createModuleToFunctionPassAdaptor(std::move(functions)));
  }

  static llvm::SimplifyCFGOptions early_cfg() {
    return llvm::SimplifyCFGOptions().convertSwitchRangeToICmp(true);
  }
  // For when no pass looks for loops any more.
  static llvm::SimplifyCFGOptions late_cfg() {
    return early_cfg()
        .forwardSwitchCondToPhi(true)
        .convertSwitchToArithmetic(true)
        .convertSwitchToLookupTable(true)
        .needCanonicalLoops(false)
        .hoistCommonInsts(true)
        .sinkCommonInsts(true);
  }
  static llvm::LICMPass licm(bool speculates) {
    return llvm::LICMPass(llvm::SetLicmMssaOptCap, llvm::SetLicmMssaNoAccForPromotionCap,
                          speculates);
  }

  // This and the next one are LLVM's -O2 without the passes that find nothing in kernels that were
  // simplified before they were vectorized: these took a tenth of a small kernel's build.
  static FunctionPassManager vector_simplification() {
    FunctionPassManager passes;
    passes.addPass(llvm::SROAPass(kModifyCFG));
    passes.addPass(llvm::EarlyCSEPass(true));
    passes.addPass(llvm::SimplifyCFGPass(early_cfg()));
    passes.addPass(llvm::InstCombinePass());
    return passes;
  }

  void add_vector_pipeline(FunctionPassManager& passes) const {
    const auto& target = compilation_.target_info;
    passes.addPass(llvm::JumpThreadingPass()); // the next barrier region is often a constant
    passes.addPass(llvm::SimplifyCFGPass(early_cfg()));
    target_passes::add_for_arithmetic(passes, target);
    passes.addPass(llvm::ReassociatePass());

    LoopPassManager invariants;
    invariants.addPass(llvm::LoopInstSimplifyPass());
    invariants.addPass(llvm::LoopSimplifyCFGPass());
    invariants.addPass(licm(false));
    invariants.addPass(llvm::LoopRotatePass());
    invariants.addPass(licm(true));
    invariants.addPass(llvm::SimpleLoopUnswitchPass());
    passes.addPass(createFunctionToLoopPassAdaptor(std::move(invariants), true));
    passes.addPass(llvm::SimplifyCFGPass(early_cfg()));
    passes.addPass(llvm::InstCombinePass());
    // Where loops are rotated, and before they are unrolled.
    passes.addPass(KeepInterleavedPass());

    LoopPassManager counters;
    if (llvm::any_of(compilation_.kernels, has_new_counters))
      counters.addPass(llvm::IndVarSimplifyPass());
    counters.addPass(llvm::LoopDeletionPass());
    counters.addPass(llvm::LoopFullUnrollPass(kUnrollLevel, !unrolls_));
    passes.addPass(createFunctionToLoopPassAdaptor(std::move(counters)));

    passes.addPass(llvm::SROAPass(kModifyCFG));
    passes.addPass(llvm::VectorCombinePass(true));
    passes.addPass(llvm::GVNPass());
    passes.addPass(llvm::InstCombinePass());
    passes.addPass(llvm::ADCEPass());
    passes.addPass(llvm::MemCpyOptPass());
    passes.addPass(llvm::DSEPass());
    passes.addPass(createFunctionToLoopPassAdaptor(licm(true), true));
    passes.addPass(llvm::SimplifyCFGPass(late_cfg().needCanonicalLoops(true)));

    // Loops over sub-groups have their final form; unrolling would hide it. First units are built
    // without: it takes a sixth of a unit's build.
    passes.addPass(SinkHorizontalReductionsPass());
    passes.addPass(PromoteAtomicsPass());
    passes.addPass(llvm::InferAlignmentPass());
    passes.addPass(llvm::VectorCombinePass());
    passes.addPass(llvm::LoopUnrollPass(
        llvm::LoopUnrollOptions(kUnrollLevel, !unrolls_ || compilation_.is_first())));
    passes.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
    passes.addPass(llvm::InferAlignmentPass());
    passes.addPass(llvm::InstCombinePass());
    passes.addPass(createFunctionToLoopPassAdaptor(licm(true), true));
    passes.addPass(llvm::InstSimplifyPass());
    passes.addPass(llvm::SimplifyCFGPass(late_cfg()));
    target_passes::add_to_optimized(passes, target);
  }

  // What gains most for the time that it takes: a quarter of that of code generation.
  static FunctionPassManager little_optimization() {
    FunctionPassManager passes;
    passes.addPass(createFunctionToLoopPassAdaptor(llvm::LoopRotatePass()));
    passes.addPass(llvm::EarlyCSEPass(true));
    passes.addPass(llvm::InstCombinePass());
    passes.addPass(llvm::SimplifyCFGPass());
    passes.addPass(createFunctionToLoopPassAdaptor(licm(true), true));
    return passes;
  }

  void add_scalar_optimization(ModulePassManager& passes, llvm::PassBuilder& builder) {
    if (compilation_.optimizes() && llvm::any_of(compilation_.kernels, is_scalar)) {
      constexpr auto kPhase = llvm::ThinOrFullLTOPhase::None;
      target_passes::add_to_scalar(passes, compilation_.target_info, compilation_.target);
      passes.addPass(createModuleToFunctionPassAdaptor(
          builder.buildFunctionSimplificationPipeline(llvm::OptimizationLevel::O2, kPhase)));
      FunctionPassManager arithmetic; // of the program's own vectors
      target_passes::add_for_arithmetic(arithmetic, compilation_.target_info);
      if (!arithmetic.isEmpty())
        passes.addPass(createModuleToFunctionPassAdaptor(std::move(arithmetic)));
      passes.addPass(createModuleToFunctionPassAdaptor(SinkHorizontalReductionsPass()));
      passes.addPass(createModuleToFunctionPassAdaptor(PromoteAtomicsPass()));
      passes.addPass(builder.buildModuleOptimizationPipeline(llvm::OptimizationLevel::O2, kPhase));
    }
    passes.addPass(llvm::GlobalDCEPass());
    if (is_plain(compilation_.build) &&
        compilation_.build.request.specialization.effort == Effort::little)
      passes.addPass(createModuleToFunctionPassAdaptor(little_optimization()));
    // Masks become known on the way.
    passes.addPass(ScalarizeMaskedStoresPass());
    if (compilation_.optimizes())
      passes.addPass(ExpandMaskedLoadsPass(compilation_.target_info));
    // LLVM would change the loops.
    if (compilation_.optimizes())
      passes.addPass(ExpandCopyLoopsPass());
    target_passes::add_before_halves(passes, compilation_.target_info);
    // After InstCombine, which contracts rounded operations on floats to those on halves.
    passes.addPass(ExpandHalfPass(compilation_.target_info));
    target_passes::add_last(passes, compilation_.target_info);
    passes.addPass(LowerFaultMarkersPass());
    passes.addPass(LimitSchedulingPass());
  }

  Compilation& compilation_;
  std::unique_ptr<llvm::Module>& module_;
  StageObserver observe_;
  bool unrolls_ = true;
};

} // namespace

PassOutcome run_passes(Compilation& compilation, std::unique_ptr<llvm::Module>& module,
                       StageObserver observe) {
  return may_skip_passes(compilation) ? Pipeline(compilation, module, observe).run()
                                      : PassOutcome::failed;
}

} // namespace heddle::compiler
