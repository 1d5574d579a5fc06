// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/async_copy/lower_elided_copies.h"

#include "compiler/async_copy/conditional_copy.h"
#include "compiler/async_copy/expand_copies.h"
#include "compiler/async_copy/local_buffer_forwarding.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace heddle::compiler {
namespace {

void lower(llvm::CallInst& call) {
  auto& module = *call.getModule();
  const auto* bytes = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(2));
  llvm::IRBuilder<> builder(&call);
  if (!llvm::isa<llvm::ConstantPointerNull>(call.getArgOperand(4)))
    builder.CreateAlignedStore(call.getArgOperand(5), call.getArgOperand(4),
                               llvm::Align(kForwardingStateBytes));
  if (bytes == nullptr || !bytes->isZero()) {
    // Without branch weights the loop of the copy would get the registers that the loops that read
    // the buffer need.
    auto* unlikely = llvm::MDBuilder(module.getContext()).createUnlikelyBranchWeights();
    builder.SetInsertPoint(llvm::SplitBlockAndInsertIfThen(builder.CreateNot(call.getArgOperand(3)),
                                                           call.getIterator(),
                                                           /*Unreachable=*/false, unlikely));
    builder.SetCurrentDebugLocation(call.getDebugLoc());
    builder.CreateCall(module.getFunction(kCopyBytes),
                       {call.getArgOperand(0), call.getArgOperand(1), call.getArgOperand(2)});
  }
  call.eraseFromParent();
}

} // namespace

llvm::PreservedAnalyses LowerElidedCopiesPass::run(llvm::Module& module,
                                                   llvm::ModuleAnalysisManager& /*analyses*/) {
  auto* function = module.getFunction(kCopyUnlessElided);
  if (function == nullptr)
    return llvm::PreservedAnalyses::all();
  for (auto* user : llvm::make_early_inc_range(function->users()))
    lower(*llvm::cast<llvm::CallInst>(user));
  function->eraseFromParent();
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
