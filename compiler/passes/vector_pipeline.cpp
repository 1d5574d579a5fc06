#include "compiler/passes/vector_pipeline.h"

#include "compiler/codegen/target.h"
#include "compiler/passes/accumulate_lanes.h"
#include "compiler/passes/defer_atomics.h"
#include "compiler/passes/fetch_next_tile.h"
#include "compiler/passes/overlapping_loads.h"
#include "compiler/passes/ternary_logic.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/DeadStoreElimination.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
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

namespace heddle::compiler {
namespace {

constexpr int kUnrollLevel = 2; // as at -O2

llvm::SimplifyCFGOptions early_shape() {
  return llvm::SimplifyCFGOptions().convertSwitchRangeToICmp(true);
}
// When nobody looks for loops any more.
llvm::SimplifyCFGOptions last_shape() {
  return early_shape()
      .forwardSwitchCondToPhi(true)
      .convertSwitchToArithmetic(true)
      .convertSwitchToLookupTable(true)
      .needCanonicalLoops(false)
      .hoistCommonInsts(true)
      .sinkCommonInsts(true);
}

llvm::LICMPass hoist(bool speculates) {
  return llvm::LICMPass(llvm::SetLicmMssaOptCap, llvm::SetLicmMssaNoAccForPromotionCap, speculates);
}

} // namespace

void add_vector_pipeline(llvm::FunctionPassManager& passes, const llvm::TargetMachine& target,
                         bool unrolls) {
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  passes.addPass(llvm::EarlyCSEPass(true));
  passes.addPass(llvm::SimplifyCFGPass(early_shape()));
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::JumpThreadingPass()); // which barrier comes next is often known where asked
  passes.addPass(llvm::SimplifyCFGPass(early_shape()));
  if (has_feature(target, "avx512vl"))
    passes.addPass(TernaryLogicPass());
  passes.addPass(llvm::ReassociatePass());

  llvm::LoopPassManager invariants;
  invariants.addPass(llvm::LoopInstSimplifyPass());
  invariants.addPass(llvm::LoopSimplifyCFGPass());
  invariants.addPass(hoist(false));
  invariants.addPass(llvm::LoopRotatePass());
  invariants.addPass(hoist(true));
  invariants.addPass(llvm::SimpleLoopUnswitchPass());
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(invariants), true));
  passes.addPass(llvm::SimplifyCFGPass(early_shape()));
  passes.addPass(llvm::InstCombinePass());

  llvm::LoopPassManager counters;
  counters.addPass(llvm::IndVarSimplifyPass());
  counters.addPass(llvm::LoopDeletionPass());
  counters.addPass(llvm::LoopFullUnrollPass(kUnrollLevel, !unrolls));
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(counters)));

  passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  passes.addPass(llvm::VectorCombinePass(true));
  passes.addPass(llvm::GVNPass());
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::ADCEPass());
  passes.addPass(llvm::MemCpyOptPass());
  passes.addPass(llvm::DSEPass());
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(hoist(true), true));
  passes.addPass(llvm::SimplifyCFGPass(last_shape().needCanonicalLoops(true)));
  passes.addPass(llvm::InstCombinePass());

  passes.addPass(AccumulateLanesPass());
  passes.addPass(DeferAtomicsPass());
  passes.addPass(FetchNextTilePass());
  passes.addPass(llvm::InferAlignmentPass());
  passes.addPass(llvm::VectorCombinePass());
  passes.addPass(llvm::LoopUnrollPass(llvm::LoopUnrollOptions(kUnrollLevel, !unrolls)));
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
  passes.addPass(llvm::InferAlignmentPass());
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(hoist(true), true));
  passes.addPass(llvm::InstSimplifyPass());
  passes.addPass(llvm::SimplifyCFGPass(last_shape()));
  if (target.getTargetCPU().starts_with("znver") && has_feature(target, "avx512f"))
    passes.addPass(OverlappingLoadsPass());
}

} // namespace heddle::compiler
