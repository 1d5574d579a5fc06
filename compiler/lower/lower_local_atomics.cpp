// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/lower_local_atomics.h"

#include "compiler/ir/address_space.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

namespace heddle::compiler {
namespace {

bool is_local(const llvm::Value& pointer) {
  return pointer.getType()->getPointerAddressSpace() == kLocal;
}

} // namespace

static void lower_local_atomics(llvm::Module& module) {
  for (auto& function : module)
    for (auto& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      if (auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
        if (is_local(*update->getPointerOperand()))
          llvm::lowerAtomicRMWInst(update);
      } else if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
        if (is_local(*exchange->getPointerOperand()))
          llvm::lowerAtomicCmpXchgInst(exchange);
      } else if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
        if (load->isAtomic() && is_local(*load->getPointerOperand()))
          load->setAtomic(llvm::AtomicOrdering::NotAtomic);
      } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
        if (store->isAtomic() && is_local(*store->getPointerOperand()))
          store->setAtomic(llvm::AtomicOrdering::NotAtomic);
      }
    }
}

llvm::PreservedAnalyses LowerLocalAtomicsPass::run(llvm::Module& module,
                                                   llvm::ModuleAnalysisManager& /*analyses*/) {
  lower_local_atomics(module);
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
