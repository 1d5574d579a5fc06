// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/keep_straight_calls.h"

#include "compiler/lower/inline_policy.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

namespace heddle::compiler {
namespace {

// Instructions of all copies of a function, up to which it is inlined.
constexpr std::uint64_t kMaxCopies = 200;

bool is_inlined(const llvm::CallBase& call) {
  const auto* callee = call.getCalledFunction();
  return callee != nullptr && callee->hasFnAttribute(llvm::Attribute::AlwaysInline) &&
         !call.isNoInline();
}

// Whether its vector form may be called under any mask: the source declares that it depends on its
// arguments alone and returns.
bool may_be_called(const llvm::Function& function) {
  return is_function_of_numbers(function) && function.doesNotAccessMemory() &&
         function.willReturn();
}

bool has_constant_argument(const llvm::CallBase& call) {
  return llvm::any_of(call.args(),
                      [](const llvm::Use& use) { return llvm::isa<llvm::Constant>(use); });
}

// What is inlined of a function.
struct Use {
  std::uint64_t size = 0;   // instructions, with what is inlined into it
  std::uint64_t copies = 0; // outside of loops
  bool is_repeated = false; // some are in loops
  llvm::SmallVector<llvm::CallBase*, 4> sites;
};

class StraightCalls {
 public:
  explicit StraightCalls(llvm::Module& module) {
    llvm::CallGraph graph(module);
    for (auto& function : module)
      if (!function.isDeclaration())
        graph.getExternalCallingNode()->addCalledFunction(nullptr, graph[&function]);
    for (auto component = llvm::scc_begin(&graph); !component.isAtEnd(); ++component)
      for (auto* node : *component)
        if (auto* function = node->getFunction(); function != nullptr && !function->isDeclaration())
          callees_first_.push_back(function);
  }

  void keep() {
    for (auto* function : callees_first_)
      measure(*function);
    for (auto* function : llvm::reverse(callees_first_))
      count_copies(*function);
    for (auto* function : callees_first_) {
      const auto& use = uses_[function];
      if (may_be_called(*function) && !use.is_repeated && use.copies > 1 &&
          use.copies * use.size > kMaxCopies)
        for (auto* site : use.sites)
          if (!has_constant_argument(*site))
            site->addFnAttr(llvm::Attribute::NoInline);
    }
  }

 private:
  void measure(const llvm::Function& function) {
    std::uint64_t size = 0;
    for (const auto& block : function)
      for (const auto& instruction : block) {
        const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        size += call != nullptr && is_inlined(*call) ? uses_[call->getCalledFunction()].size : 1;
      }
    uses_[&function].size = size;
  }

  // Its calls, of callees whose copies are counted later.
  void count_copies(llvm::Function& function) {
    const auto own = uses_[&function];
    const auto copies = std::max<std::uint64_t>(own.copies, 1);
    const llvm::DominatorTree dominators(function);
    const llvm::LoopInfo loops(dominators);
    for (auto& block : function)
      for (auto& instruction : block)
        if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
            call != nullptr && is_inlined(*call)) {
          auto& use = uses_[call->getCalledFunction()];
          use.sites.push_back(call);
          use.copies += copies;
          use.is_repeated |= own.is_repeated || loops.getLoopFor(&block) != nullptr;
        }
  }

  llvm::SmallVector<llvm::Function*, 32> callees_first_;
  llvm::DenseMap<const llvm::Function*, Use> uses_;
};

} // namespace

llvm::PreservedAnalyses KeepStraightCallsPass::run(llvm::Module& module,
                                                   llvm::ModuleAnalysisManager& /*analyses*/) {
  StraightCalls(module).keep();
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
