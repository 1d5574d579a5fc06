// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/zero_private.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace heddle::compiler {
namespace {

void zero(llvm::AllocaInst& variable, llvm::Instruction* before) {
  llvm::IRBuilder<> builder(before);
  const auto& layout = variable.getModule()->getDataLayout();
  auto* size = builder.getInt64(layout.getTypeAllocSize(variable.getAllocatedType()));
  auto* count = builder.CreateZExtOrTrunc(variable.getArraySize(), builder.getInt64Ty());
  builder.CreateMemSet(&variable, builder.getInt8(0), builder.CreateMul(size, count),
                       variable.getAlign());
}

void zero(llvm::AllocaInst& variable) {
  llvm::SmallVector<llvm::Instruction*, 4> starts;
  for (auto* user : variable.users())
    if (auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(user);
        intrinsic != nullptr && intrinsic->getIntrinsicID() == llvm::Intrinsic::lifetime_start)
      starts.push_back(intrinsic);
  if (starts.empty())
    starts.push_back(&variable);
  for (auto* start : starts)
    zero(variable, start->getNextNode());
}

} // namespace

llvm::PreservedAnalyses ZeroPrivatePass::run(llvm::Module& module,
                                             llvm::ModuleAnalysisManager& /*analyses*/) {
  for (auto& function : module) {
    llvm::SmallVector<llvm::AllocaInst*, 16> variables;
    for (auto& instruction : llvm::instructions(function))
      if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
        variables.push_back(variable);
    for (auto* variable : variables)
      zero(*variable);
  }
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
