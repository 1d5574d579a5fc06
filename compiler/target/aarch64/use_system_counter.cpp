// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/target/aarch64/use_system_counter.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"

namespace heddle::compiler {

llvm::PreservedAnalyses UseSystemCounterPass::run(llvm::Module& module,
                                                  llvm::ModuleAnalysisManager& /*analyses*/) {
  auto* cycles =
      llvm::Intrinsic::getDeclarationIfExists(&module, llvm::Intrinsic::readcyclecounter);
  if (cycles == nullptr)
    return llvm::PreservedAnalyses::all();
  // Code generation has no instruction for llvm.readsteadycounter: it is zero.
  auto& context = module.getContext();
  auto* name = llvm::MetadataAsValue::get(
      context, llvm::MDNode::get(context, llvm::MDString::get(context, "CNTVCT_EL0")));
  for (auto* user : llvm::make_early_inc_range(cycles->users())) {
    auto& call = *llvm::cast<llvm::CallInst>(user);
    llvm::IRBuilder<> builder(&call);
    call.replaceAllUsesWith(builder.CreateIntrinsic(llvm::Intrinsic::read_volatile_register,
                                                    {builder.getInt64Ty()}, {name}));
    call.eraseFromParent();
  }
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
