// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The target's own passes, at the places of the pipeline (compiler/pass_pipeline.cpp) that ask for
// them. Defined in the target's folder, whose passes.def and all_passes.h list the passes.
#pragma once

#include "compiler/target/target_info.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Target/TargetMachine.h"

namespace heddle::compiler::target_passes {

// Behind the vectorizer, on kernels that are not optimized, too.
void add_to_vectorized(llvm::ModulePassManager& passes, const TargetInfo& target);
// Gathers and scatters, of the functions that defer them or of all others.
void add_for_gathers(llvm::ModulePassManager& passes, const TargetInfo& target, bool are_deferred);
// Where bitwise operations are still as in the source, and LLVM has not vectorized.
void add_for_arithmetic(llvm::FunctionPassManager& passes, const TargetInfo& target);
// After all optimizations of a function.
void add_to_optimized(llvm::FunctionPassManager& passes, const TargetInfo& target);
// Before LLVM's loop vectorizer, if there are functions that are not vectorized.
void add_to_scalar(llvm::ModulePassManager& passes, const TargetInfo& target,
                   const llvm::TargetMachine& machine);
// Where LLVM's code generator would not do well: the last passes but one, and the last.
void add_before_halves(llvm::ModulePassManager& passes, const TargetInfo& target);
void add_last(llvm::ModulePassManager& passes, const TargetInfo& target);

} // namespace heddle::compiler::target_passes
