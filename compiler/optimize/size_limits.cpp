#include "compiler/optimize/size_limits.h"

namespace heddle::compiler {
namespace {

constexpr std::size_t kMaxBlockScheduled = 8'000;

void disable_optimization(llvm::Function& function) {
  function.removeFnAttr(llvm::Attribute::AlwaysInline);
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
    if (llvm::any_of(function,
                     [](const auto& block) { return block.size() > kMaxBlockScheduled; })) {
      function.addFnAttr(llvm::Attribute::NoInline);
      function.addFnAttr(llvm::Attribute::OptimizeNone);
    }
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
