// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HEDDLE_CHECK=divergence: calls that all work-items of a group are known to make together.
#pragma once

#include "compiler/ir/compilation.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Removes the checks of barriers and work-group functions (CheckedCall::meeting) from a kernel all
// of whose work-items execute them equally often and with equal arguments, whatever they load: it
// is compiled as without the check. Sets Kernel::checks_divergence of all others, also of those
// with async copies or waits for them, whose events differ by what was waited for, and of those
// whose calls are in functions that are not inlined.
//
// Nothing before may have looked at what is checked but as opaque calls: these keep calls in
// different places of the source apart. Runs when kernel bodies are simplified.
class DropUniformMeetingsPass : public llvm::PassInfoMixin<DropUniformMeetingsPass> {
 public:
  explicit DropUniformMeetingsPass(Compilation& compilation) : compilation_(compilation) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  Compilation& compilation_;
};

} // namespace heddle::compiler
