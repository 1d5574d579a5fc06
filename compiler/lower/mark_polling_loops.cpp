// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/mark_polling_loops.h"

#include "compiler/analysis/call_graph.h"
#include "compiler/analysis/polling_loops.h"
#include "compiler/ir/barrier.h"
#include "compiler/ir/work_item_params.h"
#include "compiler/lower/lower_barriers.h"
#include "compiler/lower/lower_collective_buffers.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace heddle::compiler {
namespace {

using Edge = std::pair<llvm::BasicBlock*, llvm::BasicBlock*>;

// On the way back to the header, so that a loop that need not wait does not yield.
bool insert_yields(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  llvm::SmallSetVector<Edge, 4> repeats;
  for (auto* loop : find_polling_loops(function, analyses)) {
    llvm::SmallVector<llvm::BasicBlock*, 4> latches;
    loop->getLoopLatches(latches);
    for (auto* latch : latches)
      repeats.insert({latch, loop->getHeader()});
  }
  auto& module = *function.getParent();
  for (const auto& [latch, header] : repeats) {
    llvm::IRBuilder<> builder(&*llvm::SplitEdge(latch, header)->getFirstInsertionPt());
    builder.SetCurrentDebugLocation(latch->getTerminator()->getDebugLoc());
    builder.CreateCall(&declare_yield(module));
  }
  return !repeats.empty();
}

// Sub-groups that have polled leave their order, which barriers restore.
void order_work_group_functions(llvm::Function& function) {
  for (auto& instruction : llvm::instructions(function))
    if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        call != nullptr && call->getCalledFunction() != nullptr &&
        is_collective_buffer_index(call->getCalledFunction()->getName()))
      llvm::IRBuilder<>(&instruction).CreateCall(&declare_barrier(*function.getParent()));
}

} // namespace

llvm::PreservedAnalyses MarkPollingLoopsPass::run(llvm::Module& module,
                                                  llvm::ModuleAnalysisManager& analyses) {
  auto& functions =
      analyses.getResult<llvm::FunctionAnalysisManagerModuleProxy>(module).getManager();
  llvm::SmallPtrSet<const llvm::Function*, 8> polling;
  for (auto& function : module)
    if (!function.isDeclaration() && has_work_item_params(function) &&
        insert_yields(function, functions))
      polling.insert(&function);
  if (polling.empty())
    return llvm::PreservedAnalyses::all();
  llvm::SmallSetVector<llvm::Function*, 8> reached;
  for (auto& kernel : compilation_.kernels) {
    const auto reachable = reachable_functions(*kernel.body);
    if (llvm::none_of(reachable, [&](const auto* one) { return polling.contains(one); }))
      continue;
    kernel.has_polling_loops = true;
    kernel.metadata.has_barrier = true;
    // What others write while this one waits it reads afterwards.
    weaken_restrict(kernel);
    reached.insert(reachable.begin(), reachable.end());
  }
  for (auto* function : reached)
    order_work_group_functions(*function);
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
