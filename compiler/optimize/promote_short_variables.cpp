// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/optimize/promote_short_variables.h"

#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

namespace heddle::compiler {
namespace {

constexpr std::size_t kManyVariables = 48;
constexpr unsigned kMaxUses = 16;

bool is_short(const llvm::AllocaInst& variable) {
  return !variable.hasNUsesOrMore(kMaxUses + 1) && llvm::isAllocaPromotable(&variable) &&
         llvm::all_of(variable.users(),
                      [](const llvm::User* user) {
                        return llvm::isa<llvm::LoadInst, llvm::StoreInst, llvm::LifetimeIntrinsic>(
                            user);
                      }) &&
         llvm::findDVRDeclares(const_cast<llvm::AllocaInst*>(&variable)).empty();
}

} // namespace

llvm::PreservedAnalyses
PromoteShortVariablesPass::run(llvm::Function& function,
                               llvm::FunctionAnalysisManager& /*analyses*/) {
  llvm::SmallVector<llvm::AllocaInst*, 64> variables;
  for (auto& instruction : function.getEntryBlock())
    if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
      variables.push_back(variable);
  if (variables.size() < kManyVariables)
    return llvm::PreservedAnalyses::all();
  for (auto* variable : variables) {
    if (!is_short(*variable))
      continue;
    llvm::SmallVector<llvm::Instruction*, kMaxUses> uses;
    for (auto* user : llvm::make_early_inc_range(variable->users()))
      if (auto* lifetime = llvm::dyn_cast<llvm::LifetimeIntrinsic>(user))
        lifetime->eraseFromParent();
      else
        uses.push_back(llvm::cast<llvm::Instruction>(user));
    llvm::SSAUpdater values;
    llvm::LoadAndStorePromoter(uses, values, variable->getName()).run(uses);
    variable->eraseFromParent();
  }
  auto preserved = llvm::PreservedAnalyses::none();
  preserved.preserveSet<llvm::CFGAnalyses>();
  return preserved;
}

} // namespace heddle::compiler
