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
      [&build](llvm::StringRef, llvm::Any) { return build.limits.exceeded_sampled() == nullptr; });

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

  llvm::ModulePassManager all;
  if (build.options.optimise) {
    // Cheap cleaning before the code is copied into its callers.
    llvm::FunctionPassManager early;
    early.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
    early.addPass(llvm::EarlyCSEPass());
    early.addPass(llvm::SimplifyCFGPass());
    all.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(early)));
    all.addPass(llvm::AlwaysInlinerPass(true));
    all.addPass(llvm::GlobalDCEPass());
    llvm::FunctionPassManager spaces;
    spaces.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
    spaces.addPass(llvm::InferAddressSpacesPass(kGenericAddressSpace));
    all.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(spaces)));
    all.addPass(llvm::createModuleToFunctionPassAdaptor(passes.buildFunctionSimplificationPipeline(
        llvm::OptimizationLevel::O2, llvm::ThinOrFullLTOPhase::None)));
    all.addPass(passes.buildModuleOptimizationPipeline(llvm::OptimizationLevel::O2,
                                                       llvm::ThinOrFullLTOPhase::None));
    all.addPass(llvm::GlobalDCEPass());
  } else {
    all.addPass(passes.buildO0DefaultPipeline(llvm::OptimizationLevel::O0));
    all.addPass(llvm::GlobalDCEPass());
  }
  all.run(module, modules);
  return build.within_limits();
}

} // namespace heddle::compiler
