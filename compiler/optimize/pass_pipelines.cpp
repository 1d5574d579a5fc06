#include "compiler/optimize/pass_pipelines.h"

#include "compiler/analysis/address_space_aa.h"
#include "compiler/async_copy/expand_copies.h"
#include "compiler/ir/fault_markers.h"
#include "compiler/ir/target.h"
#include "compiler/ir/target_info.h"
#include "compiler/lower/inline_policy.h"
#include "compiler/lower/mark_loops_for_unroll.h"
#include "compiler/lower/unroll_for_sroa.h"
#include "compiler/optimize/promote_atomics.h"
#include "compiler/optimize/sink_horizontal_reductions.h"
#include "compiler/optimize/vector_pipeline.h"
#include "compiler/support/build.h"
#include "compiler/x86/match_ternary_logic.h"
#include "compiler/x86/scalarize_masked_stores.h"
#include "compiler/x86/split_packed_lanes.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/DeadStoreElimination.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
#include "llvm/Transforms/Scalar/InferAddressSpaces.h"
#include "llvm/Transforms/Scalar/LoopDeletion.h"
#include "llvm/Transforms/Scalar/LoopInstSimplify.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/LoopSimplifyCFG.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

namespace heddle::compiler {
namespace {

constexpr unsigned kGenericAddressSpace = 4;

// Some of LLVM's passes take time with the square of a function's size. Past this size a function
// is translated as it is: seconds instead of minutes.
constexpr unsigned kLargestOptimised = 30'000;
// The same for superword-level vectorisation alone.
constexpr unsigned kLargestForSlp = 5'000;
// Unrolling one loop makes LLVM forget what it knows of all that use its values, and look again.
constexpr unsigned kLargestUnrolled = 8'000;

// Looking for stores that nothing reads compares each with all that it can come to: not in
// functions of more instructions than this.
constexpr unsigned kLargestForDeadStores = 8'000;

bool has_none_above(const llvm::Module& module, unsigned instructions) {
  return llvm::all_of(module, [&](const llvm::Function& function) {
    return function.getInstructionCount() <= instructions;
  });
}

void leave_huge_functions_alone(llvm::Module& module, unsigned largest) {
  for (auto& function : module)
    if (function.getInstructionCount() > largest) {
      function.removeFnAttr(llvm::Attribute::AlwaysInline);
      function.addFnAttr(llvm::Attribute::NoInline);
      function.addFnAttr(llvm::Attribute::OptimizeNone);
    }
}

// Instruction scheduling takes time with the square of a block's length.
constexpr std::size_t kLongestScheduled = 8'000;

void schedule_no_endless_blocks(llvm::Module& module) {
  for (auto& function : module)
    if (llvm::any_of(function,
                     [](const auto& block) { return block.size() > kLongestScheduled; })) {
      function.addFnAttr(llvm::Attribute::NoInline);
      function.addFnAttr(llvm::Attribute::OptimizeNone);
    }
}

// Null for units that are not a function or a part of one.
const llvm::Function* function_of(const llvm::Any& unit) {
  if (const auto* function = llvm::any_cast<const llvm::Function*>(&unit))
    return *function;
  if (const auto* loop = llvm::any_cast<const llvm::Loop*>(&unit))
    return (*loop)->getHeader()->getParent();
  return nullptr;
}

// On functions of kernels that were vectorised.
constexpr auto kVectorised = "heddle-vectorised";

void mark_vectorised(const Kernels& kernels) {
  for (const auto& kernel : kernels)
    if (kernel.metadata.vector_width != 1)
      for (auto* function : {kernel.entry, kernel.item, kernel.wide, kernel.tail, kernel.block,
                             kernel.crossing, kernel.alone.form})
        if (function != nullptr)
          function->addFnAttr(kVectorised);
}

// Passes for these functions alone.
class VectorisedOnly : public llvm::PassInfoMixin<VectorisedOnly> {
 public:
  explicit VectorisedOnly(llvm::FunctionPassManager passes) : passes_(std::move(passes)) {}
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
    return function.hasFnAttribute(kVectorised) ? passes_.run(function, analyses)
                                                : llvm::PreservedAnalyses::all();
  }

 private:
  llvm::FunctionPassManager passes_;
};

// The analyses of one run over a module.
class Passes {
 public:
  Passes(llvm::TargetMachine& target, Build& build, const llvm::PipelineTuningOptions& tuning)
      : builder_(&target, tuning, std::nullopt, &callbacks_) {
    // Past a limit what is left is skipped; the caller then gives up. Functions of the library that
    // stay functions were optimised when Heddle was built.
    callbacks_.registerShouldRunOptionalPassCallback([&build, this](llvm::StringRef pass,
                                                                    llvm::Any unit) {
      const auto* function = function_of(unit);
      return build.limits.exceeded() == nullptr &&
             (function == nullptr || (!is_kept_out_of_line(*function) &&
                                      !(is_for_scalar_ && function->hasFnAttribute(kVectorised)) &&
                                      (pass != llvm::DSEPass::name() ||
                                       function->getInstructionCount() <= kLargestForDeadStores)));
    });
    build.timer.watch(callbacks_);
    builder_.registerModuleAnalyses(modules_);
    builder_.registerCGSCCAnalyses(components_);
    functions_.registerPass([] { return AddressSpaceAA(); });
    functions_.registerPass([this] {
      auto aliases = builder_.buildDefaultAAPipeline();
      aliases.registerFunctionAnalysis<AddressSpaceAA>();
      return aliases;
    });
    builder_.registerFunctionAnalyses(functions_);
    builder_.registerLoopAnalyses(loops_);
    builder_.crossRegisterProxies(loops_, functions_, components_, modules_);
  }

  llvm::PassBuilder& builder() { return builder_; }
  // What comes is for functions that were not vectorised.
  void leave_vectorised_alone() { is_for_scalar_ = true; }
  void run(llvm::ModulePassManager& passes, llvm::Module& module) { passes.run(module, modules_); }
  void run(llvm::FunctionPassManager& passes, llvm::Function& function) {
    passes.run(function, functions_);
  }

 private:
  bool is_for_scalar_ = false;
  llvm::PassInstrumentationCallbacks callbacks_;
  llvm::LoopAnalysisManager loops_;
  llvm::FunctionAnalysisManager functions_;
  llvm::CGSCCAnalysisManager components_;
  llvm::ModuleAnalysisManager modules_;
  llvm::PassBuilder builder_;
};

void add_scalar_pipeline(llvm::ModulePassManager& passes, llvm::PassBuilder& builder,
                         const llvm::TargetMachine& target) {
  constexpr auto kPhase = llvm::ThinOrFullLTOPhase::None;
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(
      builder.buildFunctionSimplificationPipeline(llvm::OptimizationLevel::O2, kPhase)));
  if (TargetInfo(target).has_avx512_short_vectors) // kernels may have vectors of their own
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(MatchTernaryLogicPass()));
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(SinkHorizontalReductionsPass()));
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(PromoteAtomicsPass()));
  passes.addPass(builder.buildModuleOptimizationPipeline(llvm::OptimizationLevel::O2, kPhase));
}

} // namespace

bool inline_marked(llvm::Module& module, llvm::TargetMachine& target, Build& build) {
  Passes passes(target, build, {});
  llvm::ModulePassManager first;
  if (build.options.optimize) {
    // Cheap cleaning before the code is copied into its callers.
    llvm::FunctionPassManager early;
    early.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
    early.addPass(llvm::EarlyCSEPass());
    early.addPass(llvm::SimplifyCFGPass());
    first.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(early)));
    first.addPass(llvm::AlwaysInlinerPass(true));
    first.addPass(llvm::GlobalDCEPass());
    llvm::FunctionPassManager spaces;
    spaces.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
    spaces.addPass(llvm::InferAddressSpacesPass(kGenericAddressSpace));
    first.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(spaces)));
  } else {
    first = passes.builder().buildO0DefaultPipeline(llvm::OptimizationLevel::O0);
  }
  leave_huge_functions_alone(module,
                             kLargestOptimised * 3); // before cleaning code is thrice as long
  passes.run(first, module);
  leave_huge_functions_alone(module, kLargestOptimised);
  return build.within_limits();
}

void simplify_for_vectorizer(llvm::Function& kernel, llvm::TargetMachine& target, Build& build) {
  Passes passes(target, build, {});
  llvm::FunctionPassManager clean;
  clean.addPass(llvm::EarlyCSEPass(true));
  clean.addPass(llvm::InstCombinePass());
  clean.addPass(llvm::SimplifyCFGPass());
  llvm::LoopPassManager shape;
  shape.addPass(llvm::LoopInstSimplifyPass());
  shape.addPass(llvm::LoopSimplifyCFGPass());
  shape.addPass(llvm::LoopRotatePass(true, false));
  // Not LICM: it regroups sums and with that forgets that they do not overflow.
  clean.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(shape)));
  clean.addPass(llvm::SimplifyCFGPass());
  clean.addPass(llvm::InstCombinePass());
  clean.addPass(MarkLoopsForUnrollPass());
  clean.addPass(UnrollForSroaPass());
  llvm::LoopPassManager counters;
  counters.addPass(llvm::IndVarSimplifyPass());
  counters.addPass(llvm::LoopDeletionPass());
  counters.addPass(llvm::LoopFullUnrollPass(2, true));
  clean.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(counters)));
  clean.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  // No PRE: a phi of equal indices hides that they are equal.
  clean.addPass(llvm::GVNPass(llvm::GVNOptions().setPRE(false).setLoadPRE(false)));
  clean.addPass(llvm::InstCombinePass());
  clean.addPass(llvm::SimplifyCFGPass());
  clean.addPass(llvm::ADCEPass());
  passes.run(clean, kernel);
}

bool optimize(llvm::Module& module, llvm::TargetMachine& target, Build& build,
              const Kernels& kernels) {
  const auto is_scalar = [](const Kernel& kernel) { return kernel.metadata.vector_width == 1; };
  const bool scalar = llvm::any_of(kernels, is_scalar);
  const bool has_blocks =
      llvm::any_of(kernels, [](const Kernel& kernel) { return kernel.block != nullptr; });
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = scalar;
  tuning.LoopInterleaving = scalar;
  tuning.LoopUnrolling = has_none_above(module, kLargestUnrolled);
  tuning.SLPVectorization = scalar && has_none_above(module, kLargestForSlp);
  mark_vectorised(kernels);
  Passes passes(target, build, tuning);
  llvm::ModulePassManager first, rest;
  first.addPass(llvm::AlwaysInlinerPass(true));
  if (build.options.optimize) {
    first.addPass(llvm::GlobalDCEPass());
    llvm::FunctionPassManager functions;
    add_vector_pipeline(functions, TargetInfo(target), tuning.LoopUnrolling);
    // Only now have rows that run side by side the same words for the same addresses.
    if (has_blocks)
      functions.addPass(llvm::EarlyCSEPass(true));
    if (scalar)
      first.addPass(llvm::createModuleToFunctionPassAdaptor(VectorisedOnly(std::move(functions))));
    else
      first.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(functions)));
  }
  passes.run(first, module);
  if (build.options.optimize && scalar) {
    passes.leave_vectorised_alone();
    add_scalar_pipeline(rest, passes.builder(), target);
  }
  rest.addPass(llvm::GlobalDCEPass());
  passes.run(rest, module);
  scalarize_masked_stores(module);
  if (build.options.optimize)
    expand_copy_loops(module);
  for (auto& function : module)
    split_packed_lanes(function);
  lower_fault_markers(module);
  schedule_no_endless_blocks(module);
  return build.within_limits();
}

} // namespace heddle::compiler
