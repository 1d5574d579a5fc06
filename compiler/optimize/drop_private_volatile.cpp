// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/optimize/drop_private_volatile.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace heddle::compiler {
namespace {

// Adds the volatile accesses; false: the pointer has other uses than accesses to integers.
bool add_accesses(llvm::Value& pointer, llvm::SmallVectorImpl<llvm::Instruction*>& found) {
  for (auto* user : pointer.users()) {
    auto* instruction = llvm::cast<llvm::Instruction>(user);
    if (llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction)) {
      const auto* store = llvm::dyn_cast<llvm::StoreInst>(instruction);
      if ((store != nullptr && store->getValueOperand() == &pointer) ||
          !llvm::getLoadStoreType(instruction)->isIntOrIntVectorTy())
        return false;
      if (instruction->isVolatile())
        found.push_back(instruction);
    } else if (llvm::isa<llvm::GetElementPtrInst>(instruction)) {
      if (!add_accesses(*instruction, found))
        return false;
    } else if (!llvm::isa<llvm::LifetimeIntrinsic>(instruction)) {
      return false;
    }
  }
  return true;
}

} // namespace

llvm::PreservedAnalyses DropPrivateVolatilePass::run(llvm::Function& function,
                                                     llvm::FunctionAnalysisManager& /*analyses*/) {
  bool changed = false;
  for (auto& instruction : function.getEntryBlock()) {
    llvm::SmallVector<llvm::Instruction*, 8> accesses;
    if (!llvm::isa<llvm::AllocaInst>(instruction) || !add_accesses(instruction, accesses))
      continue;
    for (auto* access : accesses)
      if (auto* load = llvm::dyn_cast<llvm::LoadInst>(access))
        load->setVolatile(false);
      else
        llvm::cast<llvm::StoreInst>(access)->setVolatile(false);
    changed |= !accesses.empty();
  }
  if (!changed)
    return llvm::PreservedAnalyses::all();
  auto preserved = llvm::PreservedAnalyses::none();
  preserved.preserveSet<llvm::CFGAnalyses>();
  return preserved;
}

} // namespace heddle::compiler
