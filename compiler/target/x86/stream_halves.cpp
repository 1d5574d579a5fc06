// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/target/x86/stream_halves.h"

#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"

namespace heddle::compiler {
namespace {

// Null if the stored value is no vector of halves of whole floats.
llvm::FixedVectorType* floats_of(const llvm::StoreInst& store) {
  auto* type = llvm::dyn_cast<llvm::FixedVectorType>(store.getValueOperand()->getType());
  if (type == nullptr || !type->getElementType()->is16bitFPTy() || type->getNumElements() % 2 != 0)
    return nullptr;
  return llvm::FixedVectorType::get(llvm::Type::getFloatTy(store.getContext()),
                                    type->getNumElements() / 2);
}

} // namespace

llvm::PreservedAnalyses StreamHalvesPass::run(llvm::Module& module,
                                              llvm::ModuleAnalysisManager& /*analyses*/) {
  bool changed = false;
  for (auto& function : module)
    for (auto& instruction : llvm::instructions(function)) {
      auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
      if (store == nullptr || !store->hasMetadata(llvm::LLVMContext::MD_nontemporal))
        continue;
      auto* floats = floats_of(*store);
      if (floats == nullptr)
        continue;
      llvm::IRBuilder<> builder(store);
      auto* bits = builder.CreateBitCast(store->getValueOperand(), floats);
      store->setOperand(0, builder.CreateArithmeticFence(bits, floats));
      changed = true;
    }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace heddle::compiler
