// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/mark_sub_group_users.h"

#include "llvm/IR/InstrTypes.h"

namespace heddle::compiler {
namespace {

constexpr llvm::StringLiteral kUsesSubGroups = "heddle-uses-sub-groups";

} // namespace

llvm::PreservedAnalyses MarkSubGroupUsersPass::run(llvm::Module& module,
                                                   llvm::ModuleAnalysisManager& /*analyses*/) {
  llvm::SmallVector<llvm::Function*, 16> called;
  for (auto& function : module)
    // Names of pipes' builtins, Intel's and mangled ones have it, too.
    if (function.isDeclaration() && function.getName().contains("sub_group"))
      called.push_back(&function);
  while (!called.empty())
    for (auto* user : called.pop_back_val()->users())
      if (const auto* call = llvm::dyn_cast<llvm::CallBase>(user))
        if (auto* caller = const_cast<llvm::Function*>(call->getFunction());
            !uses_sub_groups(*caller)) {
          caller->addFnAttr(kUsesSubGroups);
          called.push_back(caller);
        }
  return llvm::PreservedAnalyses::all();
}

bool uses_sub_groups(const llvm::Function& function) {
  return function.hasFnAttribute(kUsesSubGroups);
}

} // namespace heddle::compiler
