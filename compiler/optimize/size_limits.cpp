// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/optimize/size_limits.h"

namespace heddle::compiler {
namespace {

constexpr std::size_t kMaxBlockScheduled = 8'000;

// Without the attributes that are incompatible with optnone and noinline.
void disable_optimization(llvm::Function& function) {
  for (const auto kind :
       {llvm::Attribute::AlwaysInline, llvm::Attribute::MinSize, llvm::Attribute::OptimizeForSize})
    function.removeFnAttr(kind);
  function.addFnAttr(llvm::Attribute::NoInline);
  function.addFnAttr(llvm::Attribute::OptimizeNone);
}

} // namespace

bool has_none_above(const llvm::Module& module, unsigned instructions) {
  return llvm::all_of(module, [&](const llvm::Function& function) {
    return function.getInstructionCount() <= instructions;
  });
}

llvm::PreservedAnalyses LimitHugeFunctionsPass::run(llvm::Module& module,
                                                    llvm::ModuleAnalysisManager& /*analyses*/) {
  for (auto& function : module)
    if (function.getInstructionCount() > max_instructions_)
      disable_optimization(function);
  return llvm::PreservedAnalyses::none();
}

llvm::PreservedAnalyses LimitSchedulingPass::run(llvm::Module& module,
                                                 llvm::ModuleAnalysisManager& /*analyses*/) {
  for (auto& function : module)
    if (llvm::any_of(function, [](const auto& block) { return block.size() > kMaxBlockScheduled; }))
      disable_optimization(function);
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
