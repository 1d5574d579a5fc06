#include "compiler/passes/optimise.h"

#include "compiler/support/build.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/InferAddressSpaces.h"
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

} // namespace

bool optimise(llvm::Module& module, llvm::TargetMachine& target, Build& build) {
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = true;
  tuning.SLPVectorization = true;
  tuning.LoopInterleaving = true;
  tuning.LoopUnrolling = true;

  llvm::PassInstrumentationCallbacks callbacks;
  // Past a limit what is left is skipped; the caller then gives up.
  callbacks.registerShouldRunOptionalPassCallback(
      [&build](llvm::StringRef, llvm::Any) { return build.limits.exceeded() == nullptr; });

  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder passes(&target, tuning, std::nullopt, &callbacks);
  passes.registerModuleAnalyses(modules);
  passes.registerCGSCCAnalyses(components);
  passes.registerFunctionAnalyses(functions);
  passes.registerLoopAnalyses(loops);
  passes.crossRegisterProxies(loops, functions, components, modules);

  llvm::ModulePassManager first;
  if (build.options.optimise) {
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
    first.addPass(passes.buildO0DefaultPipeline(llvm::OptimizationLevel::O0));
  }
  leave_huge_functions_alone(module,
                             kLargestOptimised * 3); // before cleaning code is thrice as long
  first.run(module, modules);
  leave_huge_functions_alone(module, kLargestOptimised);

  tuning.SLPVectorization = llvm::all_of(module, [](const llvm::Function& function) {
    return function.getInstructionCount() <= kLargestForSlp;
  });
  llvm::PassBuilder late_passes(&target, tuning, std::nullopt, &callbacks);
  llvm::ModulePassManager second;
  if (build.options.optimise) {
    second.addPass(
        llvm::createModuleToFunctionPassAdaptor(late_passes.buildFunctionSimplificationPipeline(
            llvm::OptimizationLevel::O2, llvm::ThinOrFullLTOPhase::None)));
    second.addPass(late_passes.buildModuleOptimizationPipeline(llvm::OptimizationLevel::O2,
                                                               llvm::ThinOrFullLTOPhase::None));
  }
  second.addPass(llvm::GlobalDCEPass());
  second.run(module, modules);
  schedule_no_endless_blocks(module);
  return build.within_limits();
}

} // namespace heddle::compiler
