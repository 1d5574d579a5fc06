// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs passes over a module with the instrumentation that the request asks for.
#pragma once

#include "compiler/ir/compilation.h"
#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"

namespace heddle::compiler {

// Called after each stage and each pass of Heddle's with the module as it is then.
using StageObserver = llvm::function_ref<void(llvm::StringRef name, const llvm::Module& module)>;

class PassRunner {
 public:
  // `stage` names what is run, for the timer. `skips_vectorized`: passes leave functions of
  // vectorized kernels alone.
  // `may_verify`: the module is valid IR after each pass.
  PassRunner(Compilation& compilation, llvm::StringRef stage, StageObserver observe,
             const llvm::PipelineTuningOptions& tuning = {}, bool skips_vectorized = false,
             bool may_verify = true);
  ~PassRunner();

  llvm::PassBuilder& builder() { return builder_; }

  // False if the compilation is over or a limit was passed; the passes after that were skipped.
  bool run(llvm::ModulePassManager& passes, llvm::Module& module);

 private:
  class Instrumentation;

  void skip_unwanted_passes();

  Compilation& compilation_;
  const std::string stage_;
  const bool skips_vectorized_;
  const bool may_verify_;
  llvm::PassInstrumentationCallbacks callbacks_;
  std::unique_ptr<Instrumentation> instrumentation_;
  llvm::LoopAnalysisManager loops_;
  llvm::FunctionAnalysisManager functions_;
  llvm::CGSCCAnalysisManager components_;
  llvm::ModuleAnalysisManager modules_;
  llvm::PassBuilder builder_;
};

} // namespace heddle::compiler
