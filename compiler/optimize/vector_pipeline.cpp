#include "compiler/optimize/vector_pipeline.h"

#include "compiler/async_copy/insert_tile_prefetch.h"
#include "compiler/optimize/promote_atomics.h"
#include "compiler/optimize/sink_horizontal_reductions.h"
#include "compiler/x86/match_ternary_logic.h"
#include "compiler/x86/shuffle_overlapping_loads.h"
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

void add_vector_pipeline(llvm::FunctionPassManager& passes, const TargetInfo& target,
                         bool unrolls) {
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  passes.addPass(llvm::EarlyCSEPass(true));
  passes.addPass(llvm::SimplifyCFGPass(early_shape()));
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::JumpThreadingPass()); // which barrier comes next is often known where asked
  passes.addPass(llvm::SimplifyCFGPass(early_shape()));
  if (target.has_avx512_short_vectors)
    passes.addPass(MatchTernaryLogicPass());
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

  passes.addPass(SinkHorizontalReductionsPass());
  passes.addPass(PromoteAtomicsPass());
  passes.addPass(InsertTilePrefetchPass());
  passes.addPass(llvm::InferAlignmentPass());
  passes.addPass(llvm::VectorCombinePass());
  passes.addPass(llvm::LoopUnrollPass(llvm::LoopUnrollOptions(kUnrollLevel, !unrolls)));
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
  passes.addPass(llvm::InferAlignmentPass());
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(hoist(true), true));
  passes.addPass(llvm::InstSimplifyPass());
  passes.addPass(llvm::SimplifyCFGPass(last_shape()));
  if (target.has_slow_line_crossing)
    passes.addPass(ShuffleOverlappingLoadsPass());
}

} // namespace heddle::compiler
