// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/target/target_passes.h"

#include "compiler/target/x86/all_passes.h"
#include "compiler/target/x86/features.h"

namespace heddle::compiler::target_passes {

void add_to_vectorized(llvm::ModulePassManager& passes, const TargetInfo& target) {
  passes.addPass(ExpandSqrtF64Pass(target));
}

void add_for_gathers(llvm::ModulePassManager& passes, const TargetInfo& target, bool are_deferred) {
  passes.addPass(CoalesceGathersPass(target, are_deferred));
  passes.addPass(ExpandGathersPass(target, are_deferred));
}

void add_for_arithmetic(llvm::FunctionPassManager& passes, const TargetInfo& target) {
  if (x86::Features(target).has_avx512_short_vectors)
    passes.addPass(MatchTernaryLogicPass());
}

void add_to_optimized(llvm::FunctionPassManager& passes, const TargetInfo& target) {
  if (x86::Features(target).has_avx512_words)
    passes.addPass(RoundByteFractionsPass());
}

void add_to_scalar(llvm::ModulePassManager& passes, const TargetInfo& target,
                   const llvm::TargetMachine& machine) {
  if (target.has_slow_gathers)
    passes.addPass(AvoidGathersPass(machine));
}

void add_before_halves(llvm::ModulePassManager& passes, const TargetInfo& /*target*/) {
  passes.addPass(SplitPackedLanesPass());
}

void add_last(llvm::ModulePassManager& passes, const TargetInfo& /*target*/) {
  passes.addPass(StreamHalvesPass());
}

} // namespace heddle::compiler::target_passes
