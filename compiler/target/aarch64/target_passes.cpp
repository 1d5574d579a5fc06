// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/target/target_passes.h"

#include "compiler/target/aarch64/all_passes.h"

namespace heddle::compiler::target_passes {

void add_to_vectorized(llvm::ModulePassManager& /*passes*/, const TargetInfo& /*target*/) {}
void add_for_gathers(llvm::ModulePassManager& /*passes*/, const TargetInfo& /*target*/,
                     bool /*are_deferred*/) {}
void add_for_arithmetic(llvm::FunctionPassManager& passes, const TargetInfo& target) {
  passes.addPass(FuseMultiplyAddsPass(target));
}
void add_to_optimized(llvm::FunctionPassManager& /*passes*/, const TargetInfo& /*target*/) {}
void add_to_scalar(llvm::ModulePassManager& /*passes*/, const TargetInfo& /*target*/,
                   const llvm::TargetMachine& /*machine*/) {}
void add_before_halves(llvm::ModulePassManager& /*passes*/, const TargetInfo& /*target*/) {}

void add_last(llvm::ModulePassManager& passes, const TargetInfo& /*target*/) {
  passes.addPass(UseSystemCounterPass());
  passes.addPass(SeparateHalfConversionsPass());
  passes.addPass(SinkNegationsPass());
}

} // namespace heddle::compiler::target_passes
